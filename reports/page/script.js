// The filter: every word must occur. All else on the page works without scripts.
(() => {
  const form = document.getElementById("filter");
  const input = document.getElementById("words");
  const output = document.getElementById("matches");
  const items = [...document.querySelectorAll("[data-item]")];
  const texts = items.map((item) => item.textContent.toLowerCase());
  const groups = [...document.querySelectorAll("details.group")];
  const openAtFirst = groups.map((group) => group.open);

  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    items.forEach((item, index) => {
      const matches = words.every((word) => texts[index].includes(word));
      item.toggleAttribute("data-hidden", !matches);
      if (matches) shown += 1;
    });
    groups.forEach((group, index) => {
      const any = group.querySelector("[data-item]:not([data-hidden])") !== null;
      group.toggleAttribute("data-hidden", !any);
      group.open = words.length > 0 ? any : openAtFirst[index];
    });
    output.textContent = words.length > 0 ? `${shown} of ${items.length}` : "";
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", apply);

  // A link into a closed group opens it.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const group = target && target.closest("details");
    if (group && !group.open) {
      group.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
