// The checks of scripts/test-browser: each prints a line, and one that fails makes the exit code 1.
const fs = require("fs");
const {chromium} = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [page_file, folder, ...limits] = process.argv.slice(2);
const url = `file://${page_file}`;
let failed = 0;
const check = (name, passes, detail = "") => {
  if (!passes) failed += 1;
  console.log(`${passes ? "ok  " : "FAIL"}  ${name}${detail === "" ? "" : `: ${detail}`}`);
};

const violations = async (page) => {
  await page.evaluate(`${axe}; undefined`);
  const found = await page.evaluate(async () => (await axe.run(document)).violations
    .map((each) => `${each.id} (${each.nodes.length}): ${each.nodes[0].html.slice(0, 120)}`));
  return found;
};

const openPage = async (browser, trouble, options) => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (message) => { if (message.type() === "error") trouble.push(message.text()); });
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("dialog", (dialog) => { trouble.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url() !== url && !request.url().startsWith(`${url}#`)) trouble.push(`request: ${request.url()}`); });
  await page.goto(url);
  return page;
};

const checkFilters = async (page, browser, trouble) => {
  const shown = (selector) => page.locator(`${selector}:not([data-hidden])`).count();
  const all = await shown("details.clause");
  await page.selectOption("select[name=level]", "SHOULD");
  const should = await shown("details.clause");
  check("the level filter leaves fewer clauses", should > 0 && should < all, `${should} of ${all}`);
  const address = page.url();
  check("the filter is in the address", address.endsWith("#level=SHOULD"), address.slice(address.indexOf("#")));
  const again = await openPage(browser, trouble, {viewport: {width: 1280, height: 900}});
  await again.goto(address);
  await again.reload();
  check("the address brings the filter back", await again.locator("details.clause:not([data-hidden])").count() === should);
  await again.context().close();
  await page.fill("input[name=words]", "no such words anywhere");
  check("\"nothing found\" says so", await page.locator("#nothing").isVisible());
  await page.click("button[type=reset]");
  await page.waitForFunction((count) => document.querySelectorAll("details.clause:not([data-hidden])").length === count, all);
  check("clearing shows everything", await shown("details.clause") === all);
};

const checkEvidence = async (page) => {
  const clause = page.locator("details.clause[data-outcome=holds]").first();
  if (await clause.count() === 0) return;
  await clause.locator("summary").first().click();
  await clause.locator(".evidence details summary").first().click();
  const line = await clause.locator("ol.steps li:has(.check)").first().textContent();
  check("two clicks from a clause that holds to a request that shows it", /(GET|POST|PUT|DELETE) /.test(line), line.slice(0, 110));
  const [clauses, without] = await page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => { setTimeout(resolve, 0); });
    const all = [...document.querySelectorAll("details.clause[data-outcome=holds]")];
    const bare = [];
    for (const each of all) {
      if (!each.open) each.querySelector("summary").click();
      await drawn();
      const evidence = each.querySelector(".evidence details");
      if (evidence && !evidence.open) evidence.querySelector("summary").click();
      await drawn();
      const lines = [...(evidence?.querySelectorAll("ol.steps li") ?? [])];
      if (!lines.some((shown) => /(GET|POST|PUT|DELETE|PATCH) /.test(shown.textContent))) bare.push(each.id);
      each.open = false;
    }
    return [all.length, bare];
  });
  check("so are two from each that holds", clauses > 0 && without.length === 0,
    `${clauses - without.length} of ${clauses} ${without.slice(0, 5).join(" ")}`);
};

const checkLinks = async (page) => {
  const dead = await page.evaluate(() => [...document.querySelectorAll("a[href^='#']")]
    .map((link) => link.getAttribute("href").slice(1))
    .filter((id) => !id.includes("=") && !document.getElementById(decodeURIComponent(id))));
  check("every link has its place", dead.length === 0, dead.slice(0, 3).join(" "));
  const first = await page.locator("#case-list tbody tr .outcome").first().textContent();
  const failures = await page.locator("#case-list tbody tr .outcome.fail").count();
  check("failures come first in the list of cases", failures === 0 || first.includes("fail"), first);
  await page.locator("#case-list th button", {hasText: "Time"}).click();
  check("cases sort by time", await page.locator("#case-list th[aria-sort]").textContent() === "Time");
};

// Each heading can be linked to: the link is copied, and it is the address of that place.
const checkCopiedLinks = async (page) => {
  const bare = await page.evaluate(() => [...document.querySelectorAll("main :is(h2, h3, h4)")]
    .filter((heading) => !heading.querySelector("a.self")).map((heading) => heading.textContent));
  check("every heading has a link to itself", bare.length === 0, bare.slice(0, 3).join("; "));
  const wrong = await page.evaluate(() => [...document.querySelectorAll("main :is(h2, h3, h4) a.self")]
    .filter((link) => !document.getElementById(link.getAttribute("href").slice(1))?.contains(link))
    .map((link) => link.getAttribute("href")));
  check("the link of a heading leads to its own place", wrong.length === 0, wrong.slice(0, 3).join(" "));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const heading of ["#clauses-title", "#cases-title", "article h3", "article h4"]) {
    const place = page.locator(heading).first();
    if (await place.count() === 0) continue;
    await place.scrollIntoViewIfNeeded();
    await page.mouse.move(0, 0);
    const link = place.locator("a.self");
    const before = await link.evaluate((each) => getComputedStyle(each).opacity);
    await place.hover();
    const after = await link.evaluate((each) => getComputedStyle(each).opacity);
    // It says so for a moment only, which a busy machine may look past.
    const said = link.evaluate((element) => new Promise((resolve) => {
      new MutationObserver(() => { if (element.textContent === "copied") resolve(); })
        .observe(element, {childList: true, characterData: true, subtree: true});
    }));
    await link.click();
    await said;
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const sought = `${url}${await link.getAttribute("href")}`;
    check(`the link of ${heading} shows when pointed at, and is copied and followed`,
      before === "0" && after === "1" && copied === sought && page.url() === sought, `${before} ${after} ${copied}`);
  }
  const again = await page.context().newPage();
  const address = `${url}#${await page.locator("details.clause").last().getAttribute("id")}`;
  await again.goto(address);
  check("a copied link of a clause opens it", await again.locator("details.clause[open]:target").isVisible());
  await again.goto(`${url}#%zz`);
  await again.close();
};

// What a target sent is text: nothing of it runs, nothing of it is an element.
const checkInert = async (page) => {
  await page.evaluate(() => { for (const each of document.querySelectorAll("details")) each.open = true; });
  await page.waitForTimeout(100);
  const ran = await page.evaluate(() => window.hostile);
  check("nothing that a target sent runs", ran === undefined, String(ran));
  const foreign = await page.evaluate(() => [...document.querySelectorAll("*")]
    .filter((each) => ["IMG", "IFRAME", "OBJECT", "EMBED", "LINK", "BASE"].includes(each.tagName) ||
      [...each.attributes].some(({name, value}) => name.startsWith("on") || /^javascript:/i.test(value)))
    .map((each) => each.outerHTML.slice(0, 80)));
  check("nothing that a target sent is an element", foreign.length === 0, foreign.slice(0, 2).join(" "));
  const parts = await page.evaluate(() => ["script", "style", "main", "h1", "title", "body"].map((name) =>
    document.querySelectorAll(`${name}:not(svg ${name})`).length).join(" "));
  check("nothing that a target sent ends a part of the page", parts === "2 1 1 1 1 1", parts);
};

const checkKeyboard = async (page) => {
  await page.keyboard.press("Tab");
  const first = await page.evaluate(() => document.activeElement.className);
  check("the first stop of the keyboard is the skip link", first === "skip");
  const summary = page.locator("details.clause summary").first();
  await summary.focus();
  await page.keyboard.press("Enter");
  check("a clause opens by keyboard", await page.locator("details.clause").first().evaluate((each) => each.open));
  await page.keyboard.press("Enter");
};

// In print there is nothing to scroll, to open or to point at.
const checkPrint = async (page) => {
  const broken = await page.$$eval(".clause .level", (levels) => levels
    .filter((level) => { const range = document.createRange(); range.selectNodeContents(level);
      return range.getClientRects().length > 1; }).map((level) => level.textContent));
  check("no level is broken in print", broken.length === 0, `${broken.length}`);
  const empty = await page.$$eval("#coverage figure", (figures) => figures
    .filter((figure) => ![...figure.querySelectorAll("svg, li")].some((part) => part.getBoundingClientRect().height > 0))
    .map((figure) => figure.querySelector("figcaption").textContent));
  check("every layer of the model has its states in print", empty.length === 0, empty.join("; "));
};

const main = async () => {
  const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox"]});
  const trouble = [];
  const page = await openPage(browser, trouble, {viewport: {width: 1280, height: 900}});
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  const megabytes = fs.statSync(page_file).size / 1e6;
  const cases = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).cases.length);
  console.log(`      ${megabytes.toFixed(2)} MB, ${cases} cases, ${elements} elements, first paint after ${Math.round(paint)} ms`);
  if (limits.includes("large")) {
    check("5,000 cases and more", cases >= 5000, `${cases}`);
    check("under 5 MB", megabytes < 5, `${megabytes.toFixed(2)} MB`);
    check("first paint under a second", paint > 0 && paint < 1000, `${Math.round(paint)} ms`);
  }
  await page.screenshot({path: `${folder}/1280.png`});
  await checkKeyboard(page);
  await checkFilters(page, browser, trouble);
  await checkEvidence(page);
  await checkLinks(page);
  await checkCopiedLinks(page);
  const open = await violations(page);
  check("axe finds nothing, light", open.length === 0, open.join("; "));
  await page.emulateMedia({media: "print"});
  await checkPrint(page);
  const pdf = await page.pdf({path: `${folder}/report.pdf`, format: "A4"});
  const pages = (pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g) || []).length;
  console.log(`      ${pages} pages of A4`);
  if (limits.includes("short")) check("under 40 pages of A4", pages > 0 && pages < 40, `${pages}`);
  await page.emulateMedia({media: "screen"});
  await checkInert(page);
  await page.context().close();

  const dark = await openPage(browser, trouble, {viewport: {width: 1280, height: 900}, colorScheme: "dark"});
  await dark.screenshot({path: `${folder}/dark.png`});
  const found = await violations(dark);
  check("axe finds nothing, dark", found.length === 0, found.join("; "));
  await dark.context().close();

  const narrow = await openPage(browser, trouble, {viewport: {width: 320, height: 800}});
  const width = await narrow.evaluate(() => document.documentElement.scrollWidth);
  check("320 px are wide enough", width <= 320, `${width} px`);
  const broken = await narrow.$$eval(".facts dt", (labels) => labels
    .filter((label) => { const range = document.createRange(); range.selectNodeContents(label);
      return range.getClientRects().length > 1; }).map((label) => label.textContent));
  check("no label is broken at 320 px", broken.length === 0, broken.join(", "));
  await narrow.screenshot({path: `${folder}/320.png`});
  const small = await violations(narrow);
  check("axe finds nothing, narrow", small.length === 0, small.join("; "));
  check("no error, request or dialog", trouble.length === 0, trouble.slice(0, 3).join("; "));
  await browser.close();
  process.exit(failed === 0 ? 0 : 1);
};

main().catch((error) => { console.error(error); process.exit(2); });
