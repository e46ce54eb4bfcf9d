// Sorts tables by a click on a heading, and filters the board. Without it the pages are complete tables.
"use strict";
(() => {
  function value(row, column) {
    const cell = row.cells[column];
    return cell.dataset.value ?? cell.textContent.trim().replaceAll("−", "-").replaceAll(",", "");
  }

  function compare(a, b) {
    const [x, y] = [Number.parseFloat(a), Number.parseFloat(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) {
      if (Number.isNaN(x) && Number.isNaN(y)) return a.localeCompare(b);
      return Number.isNaN(x) ? 1 : -1;
    }
    return x - y;
  }

  function sort(table, heading, column) {
    const numeric = heading.classList.contains("number");
    const was = heading.getAttribute("aria-sort");
    const first = numeric && heading.textContent !== "Rank" ? "descending" : "ascending";
    const order = was === "none" ? first : was === "ascending" ? "descending" : "ascending";
    for (const other of heading.parentElement.cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows].sort((a, b) => sign * compare(value(a, column), value(b, column)));
    body.append(...rows);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      button.addEventListener("click", () => sort(table, heading, column));
      heading.replaceChildren(button);
      heading.setAttribute("aria-sort", "none");
    });
  }

  const form = document.querySelector("form.filters");
  if (!form) return;
  const rows = [...document.querySelector("table.board").tBodies[0].rows];
  function filter() {
    const chosen = (name) => new Set([...form.querySelectorAll(`[name=${name}]:checked`)].map((box) => box.value));
    const [levels, families] = [chosen("level"), chosen("family")];
    const text = form.elements.text.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const { level, family, name } = row.dataset;
      row.hidden = !(levels.has(level) && families.has(family) && name.toLowerCase().includes(text));
      shown += !row.hidden;
    }
    form.querySelector("output").textContent = `${shown} of ${rows.length} methods`;
  }
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
