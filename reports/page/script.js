// Filters, the list of cases, and the requests behind each clause. Everything else works without.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("filter");
  const items = [...document.querySelectorAll("[data-item]")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
    outcome: element.dataset.outcome,
    levels: element.dataset.level.split(" "),
    clauses: element.dataset.clause.split(" "),
  }));
  const cases = data.cases.map(([id, title, outcome, ms, clauses, steps, judged, reason]) => ({
    id, title: data.titles[title], outcome, ms, steps, judged, reason,
    clauses: clauses.map((index) => data.clauses[index]),
    levels: clauses.map((index) => data.levels[index]),
    text: `${id} ${data.titles[title]} ${reason} ${outcome}`.toLowerCase(),
  }));

  const kinds = {
    fail: "broken", unexpected_pass: "broken", flaky: "broken", error: "undecided", inconclusive: "undecided", pass: "holds",
  };
  const kindOf = (outcome) => kinds[outcome] || outcome;
  const signs = {
    pass: "✓", fail: "✕", unexpected_pass: "!", error: "!", inconclusive: "?", not_applicable: "–", expected_fail: "✕", flaky: "~",
  };
  const urgency = ["fail", "unexpected_pass", "flaky", "error", "inconclusive", "expected_fail", "pass", "not_applicable"];

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const countText = (count) => count.toLocaleString("en-US");
  const counted = (count, noun) => `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
  const tag = (outcome) =>
    make("span", {class: `outcome ${outcome}`}, `${signs[outcome]} ${outcome.replaceAll("_", " ")}`);
  const anchorOf = (id) => `case-${id.replace(/[^A-Za-z0-9.-]+/g, "_").replace(/_+$/, "")}`;

  // A case's requests, each check after the request that decided it; those of one clause marked.
  const stepsOf = (each, clause) => {
    if (each.steps.length === 0) return make("p", {class: "note"}, each.reason || "No request was sent.");
    const list = make("ol", {class: "steps"});
    each.steps.forEach((step, index) => {
      const [text, times] = Array.isArray(step) ? step : [step, 1];
      const did = data.steps[text].startsWith("GET ") ? "asked" : "sent";
      const repeated = times > 1 ? ` (${did} ${times} times, same answer)` : "";
      const line = make("li", {}, make("code", {}, data.steps[text]), repeated);
      for (const [clauses, steps, watched, verdict] of each.judged) {
        if (steps !== index + 1) continue;
        const names = clauses.map((number) => data.clauses[number]);
        const shown = clause ? names.filter((name) => name === clause) : names;
        if (shown.length === 0) continue;
        const note = watched > 0 ? `, watched for ${watched} ms` : "";
        line.append(make("span", {class: `check ${verdict}`}, `${signs[verdict] || "·"} ${shown.join(", ")}${note}`));
      }
      list.append(line);
    });
    return list;
  };

  // Behind each clause: its cases, and behind each of them its requests.
  const byClause = new Map();
  cases.forEach((each) => {
    const named = new Set(each.judged.flatMap(([clauses]) => clauses));
    for (const index of named) {
      const name = data.clauses[index];
      if (!byClause.has(name)) byClause.set(name, []);
      byClause.get(name).push(each);
    }
  });
  const limit = 50;
  const fillClause = (element) => {
    if (element.dataset.filled) return;
    element.dataset.filled = "yes";
    const place = element.querySelector(".evidence");
    const judges = [...(byClause.get(element.dataset.clause) || [])]
      .sort((a, b) => urgency.indexOf(a.outcome) - urgency.indexOf(b.outcome));
    const add = (from) => {
      for (const each of judges.slice(from, from + limit)) {
        const details = make("details", {},
          make("summary", {}, tag(each.outcome), " ", make("span", {class: "id"}, each.id), ` ${each.title}`));
        details.addEventListener("toggle", () => {
          if (details.children.length === 1) details.append(stepsOf(each, element.dataset.clause));
        });
        place.append(details);
      }
      const left = judges.length - from - limit;
      if (left <= 0) return;
      const more = make("button", {type: "button"}, `Show ${Math.min(left, limit)} more of ${countText(judges.length)}`);
      more.addEventListener("click", () => { more.remove(); add(from + limit); });
      place.append(more);
    };
    add(0);
  };
  for (const element of document.querySelectorAll("details.clause")) {
    element.addEventListener("toggle", () => { if (element.open) fillClause(element); });
  }

  // The list of cases: failures first, sorted by any column.
  const columns = [
    ["Outcome", (each) => urgency.indexOf(each.outcome)],
    ["Case", (each) => each.id],
    ["Clauses", (each) => each.clauses.join(" ")],
    ["Checks", (each) => each.judged.length],
    ["Time", (each) => each.ms],
  ];
  let sorted = {column: 0, descending: false};
  let visible = cases;
  let shownRows = 200;
  const list = document.getElementById("case-list");
  const body = make("tbody");
  const headings = columns.map(([name], index) => {
    const button = make("button", {type: "button"}, name);
    const heading = make("th", {scope: "col"}, button);
    button.addEventListener("click", () => {
      sorted = {column: index, descending: sorted.column === index && !sorted.descending};
      showCases();
    });
    return heading;
  });
  const moreRows = make("button", {type: "button", class: "more"});
  moreRows.addEventListener("click", () => { shownRows += 1000; showCases(); });

  const rowOf = (each) => {
    const details = make("details", {id: `row-${anchorOf(each.id)}`},
      make("summary", {}, make("span", {class: "id"}, each.id), ` ${each.title}`));
    details.addEventListener("toggle", () => {
      if (details.children.length === 1) details.append(stepsOf(each));
    });
    const links = each.clauses.flatMap((name) => [
      make("a", {class: "id", href: `#clause-${name.replace(/[^A-Za-z0-9.-]+/g, "_")}`}, name), " "]);
    return make("tr", {},
      make("td", {}, tag(each.outcome)), make("td", {}, details), make("td", {}, ...links),
      make("td", {class: "number"}, String(each.judged.length)),
      make("td", {class: "number"}, each.ms < 1000 ? `${each.ms} ms` : `${(each.ms / 1000).toFixed(2)} s`));
  };
  const showCases = () => {
    const key = columns[sorted.column][1];
    const order = visible.map((each, index) => [key(each), index, each]);
    order.sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : 0) * (sorted.descending ? -1 : 1) || i - j);
    headings.forEach((heading, index) => {
      if (index === sorted.column) heading.setAttribute("aria-sort", sorted.descending ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
    });
    body.replaceChildren(...order.slice(0, shownRows).map(([, , each]) => rowOf(each)));
    const left = visible.length - shownRows;
    moreRows.hidden = left <= 0;
    moreRows.textContent = `Show more (${countText(left)} left)`;
  };
  list.append(make("table", {class: "cases"}, make("thead", {}, make("tr", {}, ...headings)), body));
  list.after(moreRows);

  // Filters, kept in the address as #outcome=broken&level=MUST.
  const names = ["outcome", "level", "clause", "words"];
  const chosen = () => Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]));
  const output = document.getElementById("found");
  const nothing = document.getElementById("nothing");
  const apply = () => {
    const {outcome, level, clause, words} = chosen();
    const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (each) => (!outcome || kindOf(each.outcome) === outcome) &&
      (!level || each.levels.includes(level)) && (!clause || each.clauses.includes(clause)) &&
      sought.every((word) => each.text.includes(word));
    const found = {causes: 0, clauses: 0};
    for (const item of items) {
      const shown = matches(item);
      item.element.toggleAttribute("data-hidden", !shown);
      if (shown) found[item.element.matches(".clause") ? "clauses" : "causes"] += 1;
    }
    for (const group of document.querySelectorAll("section.group, #findings, #expected")) {
      group.toggleAttribute("data-hidden", !group.querySelector("[data-item]:not([data-hidden])"));
    }
    visible = cases.filter(matches);
    showCases();
    const active = Boolean(outcome || level || clause || sought.length);
    document.body.toggleAttribute("data-filtered", active);
    output.textContent = active
      ? `${counted(found.causes, "cause")}, ${counted(found.clauses, "clause")}, ${counted(visible.length, "case")}` : "";
    nothing.hidden = !active || found.causes + found.clauses + visible.length > 0;
  };
  const remember = () => {
    const state = new URLSearchParams(Object.entries(chosen()).filter(([, value]) => value));
    history.replaceState(null, "", `#${state}`);
    apply();
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", remember);
  form.addEventListener("reset", () => setTimeout(remember));

  // An address is a filter, or a place: what is closed around a place opens.
  const visit = () => {
    const text = location.hash.slice(1);
    if (text.includes("=")) {
      const state = new URLSearchParams(text);
      for (const name of names) form.elements[name].value = state.get(name) || "";
      apply();
      document.getElementById(state.get("outcome") === "broken" && document.getElementById("findings")
        ? "findings" : "clauses").scrollIntoView();
      return;
    }
    const place = document.getElementById(text);
    if (!place) return;
    for (let each = place; each; each = each.parentElement) {
      each.removeAttribute("data-hidden");
      if (each.matches("details")) each.open = true;
    }
    place.scrollIntoView();
  };
  addEventListener("hashchange", visit);
  apply();
  visit();

  // A heading's link is copied as it is followed.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.self");
    if (!link || !navigator.clipboard) return;
    navigator.clipboard.writeText(link.href).then(() => {
      link.textContent = "copied";
      setTimeout(() => { link.textContent = "#"; }, 1500);
    }, () => {});
  });
})();
