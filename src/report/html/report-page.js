'use strict';
// Fills the table of a report from the JSON beside it. `rowsJson` says what a row is. Every value gets into the page
// as a text, and no more than a page of the table is in the document.
(() => {
  const PAGE = 100;
  const MOST_PRINTED = 4000;
  const { from, results, rows, words } = JSON.parse(document.getElementById('data').textContent);
  const [PLACE, LINE, RESULT, BARCODE, PERSONA, ID, SAID, ENTRIES, STEPS, NAME] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ];

  const byId = (id) => document.getElementById(id);
  const word = (text) => (typeof text === 'number' ? words[text] : text);
  const placeOf = (row) => word(row[PLACE]) + row[LINE];
  const COLUMNS = [
    undefined,
    (row) => results[row[RESULT]],
    (row) => row[BARCODE],
    (row) => word(row[PERSONA]),
    (row) => word(row[SAID]),
  ];

  /** Columns in which nothing stands are left out. */
  const isFilled = COLUMNS.map((read) => read === undefined || rows.some((row) => read(row)));

  const table = document.querySelector('table');
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  const pager = [...document.querySelectorAll('nav button')];
  const inOrder = rows.map((_, at) => at);
  const shown = { chosen: inOrder, sorted: inOrder, column: 0, down: false, page: 0 };

  /** An element with texts, and others, in it. */
  function make(name, className, ...children) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  const haystacks = [];
  /** What a row is searched in. */
  function haystack(at) {
    if (haystacks[at] === undefined) {
      const row = rows[at];
      const told = [placeOf(row), row[NAME], row[ID], ...COLUMNS.slice(1).map((column) => column(row))];
      for (const part of row[ENTRIES]) told.push(word(part));
      for (const [, , facts, request] of row[STEPS]) told.push(word(facts), request);
      haystacks[at] = told.join('\n').toLowerCase();
    }
    return haystacks[at];
  }

  /** Leaves the rows that have every word that is searched for, and the result that is asked for. */
  function choose() {
    const wanted = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const result = byId('result').value;
    shown.chosen = shown.sorted.filter(
      (at) =>
        (result === '' || rows[at][RESULT] === Number(result)) &&
        wanted.every((part) => haystack(at).includes(part)),
    );
    shown.page = 0;
    draw();
  }

  const collator = new Intl.Collator('en', { numeric: true });

  /** By a column, or the other way round when it is by that one already; the first is the order of the files. */
  function sortBy(column) {
    shown.down = shown.column === column && !shown.down;
    shown.column = column;
    const read = COLUMNS[column];
    const keys = read && rows.map(read);
    shown.sorted = keys
      ? [...inOrder].sort((one, other) => collator.compare(keys[one], keys[other]))
      : [...inOrder];
    if (shown.down) shown.sorted.reverse();
    for (const [at, heading] of headings.entries()) {
      if (at === column) heading.setAttribute('aria-sort', shown.down ? 'descending' : 'ascending');
      else heading.removeAttribute('aria-sort');
    }
    choose();
  }

  function time(ms) {
    return new Date(from + ms).toISOString().slice(0, 23).replace('T', ' ');
  }

  /** All that there is to tell of a row: its id, what was planned, mended and found, then step by step. */
  function story(row) {
    const facts = make('dl');
    const tell = (label, text) => {
      if (label !== '') facts.append(make('dt', '', label));
      facts.append(make('dd', '', text));
    };
    if (row[ID] !== '') tell('registration', row[ID]);
    for (let at = 0; at < row[ENTRIES].length; at += 2)
      tell(word(row[ENTRIES][at]), word(row[ENTRIES][at + 1]));
    const steps = make('ol');
    for (const [ms, what, text, request] of row[STEPS]) {
      const told = [word(what), word(text), request && `(request ${request})`].filter(Boolean).join(' ');
      steps.append(make('li', '', make('time', '', time(ms)), ` ${told}`));
    }
    const told = [facts, steps].filter((list) => list.hasChildNodes());
    const cell = make('td', '', ...(told.length > 0 ? told : ['There is nothing more to tell of it.']));
    cell.colSpan = headings.length;
    return make('tr', 'story', cell);
  }

  function drawRow(at) {
    const row = rows[at];
    const button = make('button', '', row[NAME] || placeOf(row));
    button.type = 'button';
    button.setAttribute('aria-expanded', 'false');
    const head = make('th', '', button, ...(row[NAME] ? [make('div', 'place', placeOf(row))] : []));
    head.scope = 'row';
    const line = make(
      'tr',
      '',
      head,
      ...COLUMNS.slice(1).map((read) => make('td', '', make('div', '', read(row)))),
    );
    for (const [column, cell] of [...line.cells].entries()) cell.hidden = !isFilled[column];
    button.addEventListener('click', () => {
      const isOpen = button.getAttribute('aria-expanded') === 'true';
      button.setAttribute('aria-expanded', String(!isOpen));
      if (isOpen) line.nextSibling.remove();
      else line.after(story(row));
    });
    return line;
  }

  const count = (n) => n.toLocaleString('en');

  function draw(size = PAGE) {
    const pages = Math.max(1, Math.ceil(shown.chosen.length / size));
    shown.page = Math.min(Math.max(0, shown.page), pages - 1);
    const first = shown.page * size;
    const page = shown.chosen.slice(first, first + size);
    body.replaceChildren(...page.map(drawRow));
    const which = `Rows ${count(first + 1)} to ${count(first + page.length)} of ${count(shown.chosen.length)}`;
    byId('status').textContent = `${page.length === 0 ? 'No such row' : which}; ${count(rows.length)} in all`;
    byId('page').textContent = `Page ${count(shown.page + 1)} of ${count(pages)}`;
    // A button that goes away under the finger of somebody would take the place in the page along.
    for (const [at, button] of pager.entries()) {
      button.setAttribute('aria-disabled', String(at < 2 ? shown.page === 0 : shown.page === pages - 1));
    }
  }

  for (const [at, name] of results.entries()) {
    const option = make('option', '', name);
    option.value = String(at);
    byId('result').append(option);
  }
  byId('search').addEventListener('input', choose);
  byId('result').addEventListener('change', choose);
  for (const [at, heading] of headings.entries()) {
    heading.firstElementChild.addEventListener('click', () => sortBy(at));
    heading.hidden = !isFilled[at];
  }
  const turns = [() => 0, () => shown.page - 1, () => shown.page + 1, () => Number.MAX_SAFE_INTEGER];
  for (const [at, button] of pager.entries()) {
    button.addEventListener('click', () => {
      shown.page = turns[at]();
      draw();
    });
  }
  // Paper has no pages to turn: all rows that are chosen are printed.
  addEventListener('beforeprint', () => draw(MOST_PRINTED));
  addEventListener('afterprint', () => draw());
  headings[0].setAttribute('aria-sort', 'ascending');
  byId('table').hidden = false;
  draw();
})();
