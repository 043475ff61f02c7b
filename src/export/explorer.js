// The explorer's behaviour. All text of a result enters the page through textContent.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const sides = data.sides;
  const $ = (id) => document.getElementById(id);

  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) node.append(child);
    return node;
  }
  const code = (text) => el("code", {}, text);

  // ---- the model -------------------------------------------------------------------------------

  for (const side of sides) {
    side.moves = side.states.map(() => new Map()); // state -> call -> transition indices
    side.transitions.forEach(([from, call], i) => {
      const calls = side.moves[from];
      if (!calls.has(call)) calls.set(call, []);
      calls.get(call).push(i);
    });
    side.refused = side.states.map(() => new Map()); // state -> call -> refusal index
    side.refusals.forEach((refusal, i) => {
      if (refusal.s !== null && !side.refused[refusal.s].has(refusal.c))
        side.refused[refusal.s].set(refusal.c, i);
    });
    side.edgesOf = side.transitions.map(() => -1); // transition -> drawn edge
    side.edges.forEach(([, , transitions], i) => {
      for (const t of transitions) side.edgesOf[t] = i;
    });
    side.byName = new Map(side.calls.map((call, i) => [call.name, i]));
    side.guards = side.states.map(() => new Map()); // state -> call -> condition
    if (side.guarded) for (const guard of side.guarded.guards) side.guards[guard.s].set(guard.c, guard.shown);
  }

  const letterName = (call, outcome) =>
    call.outcomes.length === 1 ? call.name : call.name + ":" + call.outcomes[outcome];

  // As people read it, with its condition and what it sets.
  const letterText = (side, t) => {
    const text = side.guarded && side.guarded.texts[t];
    return text || letterName(side.calls[side.transitions[t][1]], side.transitions[t][2]);
  };

  // `call(1, "a"):outcome` as people type it: arguments go with the one call of that name.
  function withoutArguments(side, text) {
    const open = text.indexOf("(");
    if (open <= 0) return null;
    let depth = 0, end = open;
    for (; end < text.length; ++end) {
      if (text[end] === "(") ++depth;
      if (text[end] === ")" && --depth === 0) break;
    }
    const name = text.slice(0, open);
    const same = side.calls.filter((call) => call.name === name || call.name.startsWith(name + "("));
    return same.length === 1 ? same[0].name + text.slice(end + 1).replace("=", ":returns=") : null;
  }

  // `call` or `call:outcome`, split at the last colon that has no colon beside it.
  function parseLetter(side, text) {
    const known = parseNamed(side, text);
    if (known !== null) return known;
    const bare = withoutArguments(side, text);
    const parsed = bare === null ? null : parseNamed(side, bare) || parseNamed(side, bare.split(":")[0]);
    return parsed && { ...parsed, given: true };
  }
  function parseNamed(side, text) {
    if (side.byName.has(text)) return { call: side.byName.get(text), outcome: null };
    for (let at = text.length - 1; at > 0; --at) {
      if (text[at] !== ":" || text[at - 1] === ":" || text[at + 1] === ":") continue;
      const call = side.byName.get(text.slice(0, at));
      if (call === undefined) return null;
      const outcome = text.slice(at + 1);
      const outcomes = side.calls[call].outcomes;
      const index = outcomes.indexOf(outcome);
      if (index >= 0) return { call, outcome: index };
      if (outcome === "any" || (outcomes.length === 1 && outcomes[0] === "any"))
        return { call, outcome: null };
      return null;
    }
    return null;
  }

  function startOf(side, constructor) {
    const states = new Set();
    for (const [name, state] of side.initial)
      if (constructor === null || name === constructor) states.add(state);
    return states;
  }

  // A set of states per step, since a letter without outcome stands for all of them.
  function walk(side, constructor, word) {
    const steps = [{ states: startOf(side, constructor), taken: [], stops: [] }];
    for (const letter of word) {
      const before = steps[steps.length - 1];
      const step = { states: new Set(), taken: [], stops: [] };
      steps.push(step);
      const parsed = parseLetter(side, letter);
      if (parsed === null) {
        step.unknown = true;
        continue;
      }
      step.given = parsed.given;
      for (const state of before.states) {
        if (state < 0) {
          step.states.add(state);
          continue;
        }
        if (!side.states[state].allows.includes(parsed.call)) {
          step.stops.push({ state, call: parsed.call, refusal: side.refused[state].get(parsed.call) });
          continue;
        }
        const moves = (side.moves[state].get(parsed.call) || []).filter(
          (t) => parsed.outcome === null || side.transitions[t][2] === parsed.outcome);
        if (moves.length === 0) step.stops.push({ state, call: parsed.call, never: true });
        for (const t of moves) {
          step.states.add(side.transitions[t][3]);
          step.taken.push(t);
        }
      }
    }
    return steps;
  }

  // Words are typed with spaces or commas; those inside brackets belong to a name.
  function splitWord(text) {
    const letters = [];
    let letter = "", depth = 0;
    for (const c of text + " ") {
      if ("([<".includes(c)) ++depth;
      if (")]>".includes(c)) depth = Math.max(0, depth - 1);
      if ((c === "," || c === " " || c === "\t" || c === "·") && depth === 0) {
        if (letter) letters.push(letter);
        letter = "";
      } else letter += c;
    }
    if (letter.trim()) letters.push(letter.trim());
    return letters;
  }

  // ---- what is shown ---------------------------------------------------------------------------

  // The first constructor, until another one is chosen; null: any of them.
  const names = new Set(sides.flatMap((side) => side.initial.map(([name]) => name)));
  const firstConstructor = names.size > 1 ? [...names][0] : null;
  let word = [], position = 0, constructor = firstConstructor;
  let walks = [];
  let pinned = null; // {kind, side, index} that the details show when nothing is hovered

  const sideOf = (key) => Math.max(0, sides.findIndex((side) => side.key === key));
  const stateText = (state) => (state < 0 ? "a state beyond this page" : "state " + state);

  function hashFor(view) {
    const parts = [];
    if (view.word !== undefined) {
      parts.push("word=" + view.word.map(encodeURIComponent).join(","));
      if (view.at !== undefined && view.at !== view.word.length) parts.push("at=" + view.at);
      if (view.made && view.made !== firstConstructor) parts.push("constructor=" + encodeURIComponent(view.made));
      else if (view.made === null && firstConstructor !== null) parts.push("constructor=");
    } else {
      parts.push(view.kind + "=" + view.index);
      if (sides[view.side].key) parts.push("side=" + sides[view.side].key);
    }
    return "#" + parts.join("&");
  }
  const link = (view, ...children) => el("a", { href: hashFor(view) }, ...children);

  function readHash() {
    const values = new Map();
    for (const part of location.hash.slice(1).split("&")) {
      const equals = part.indexOf("=");
      if (equals > 0) values.set(part.slice(0, equals), part.slice(equals + 1));
    }
    const decode = (text) => {
      try { return decodeURIComponent(text); } catch { return text; }
    };
    if (values.has("word")) {
      // A comma inside brackets belongs to a name, an escaped one does everywhere.
      word = splitWord(values.get("word").replaceAll("+", " ")).map(decode);
      const wanted = values.has("constructor") ? decode(values.get("constructor")) : firstConstructor;
      constructor = sides.some((side) => side.initial.some(([name]) => name === wanted)) ? wanted : null;
      const at = Number(values.get("at"));
      position = values.has("at") && Number.isInteger(at) ? Math.min(Math.max(at, 0), word.length) : word.length;
      replay(false);
      return;
    }
    for (const kind of ["state", "edge", "refusal"]) {
      if (!values.has(kind)) continue;
      const side = values.has("side") ? sideOf(values.get("side")) : sides.length - 1;
      const index = Number(values.get(kind));
      const list = { state: sides[side].states, edge: sides[side].edges, refusal: sides[side].refusals }[kind];
      if (Number.isInteger(index) && index >= 0 && index < list.length) pin({ kind, side, index });
      return;
    }
  }

  function remember() {
    history.replaceState(null, "", hashFor({ word, at: position, made: constructor }));
  }

  function replay(write) {
    walks = sides.map((side) => walk(side, constructor, word));
    if (write) remember();
    pinned = null;
    render();
  }
  function go(to) {
    position = Math.min(Math.max(to, 0), word.length);
    remember();
    pinned = null;
    render();
  }
  function append(letter) {
    word = word.slice(0, position).concat([letter]);
    position = word.length;
    replay(true);
  }

  function pin(what) {
    pinned = what;
    render();
  }

  function mark(id, name, on) {
    const node = $(id);
    if (node) node.classList.toggle(name, on);
  }

  function render() {
    $("word").value = word.join(" ");
    if ($("constructor")) $("constructor").value = constructor === null ? "" : constructor;
    $("first").disabled = $("back").disabled = position === 0;
    $("forward").disabled = $("last").disabled = position === word.length;
    $("clear").disabled = word.length === 0;

    const steps = $("steps");
    steps.replaceChildren(el("li", {}, el("button", {
      type: "button", "aria-current": position === 0 ? "step" : null, onclick: () => go(0),
    }, "new")));
    word.forEach((letter, i) => {
      const dead = walks.every((steps_) => steps_[i + 1].states.size === 0);
      steps.append(el("li", { class: dead ? "dead" : "" }, el("button", {
        type: "button", "aria-current": position === i + 1 ? "step" : null, onclick: () => go(i + 1),
      }, code(shorten(letter, 60)))));
    });

    const status = $("status");
    status.replaceChildren();
    sides.forEach((side, s) => status.append(...statusOf(side, s)));
    renderNext();
    sides.forEach((side, s) => {
      const step = walks[s][position];
      for (let q = 0; q < side.states.length; ++q) {
        mark(side.prefix + "s" + q, "here", step.states.has(q));
        mark(side.prefix + "row" + q, "here", step.states.has(q));
        mark(side.prefix + "s" + q, "stopped", step.stops.some((stop) => stop.state === q));
        mark(side.prefix + "s" + q, "chosen", isPinned("state", s, q));
      }
      const taken = new Set(step.taken.map((t) => side.edgesOf[t]));
      const path = new Set(walks[s].slice(0, position + 1).flatMap((one) => one.taken.map((t) => side.edgesOf[t])));
      const visited = new Set(walks[s].slice(0, position).flatMap((one) => (position > 0 ? [...one.states] : [])));
      for (let q = 0; q < side.states.length; ++q) mark(side.prefix + "s" + q, "visited", visited.has(q));
      for (let e = 0; e < side.edges.length; ++e) {
        mark(side.prefix + "e" + e, "taken", taken.has(e));
        mark(side.prefix + "e" + e, "path", path.has(e));
        mark(side.prefix + "e" + e, "chosen", isPinned("edge", s, e));
      }
    });
    showDetails(pinned || defaultDetails());
    for (const frame of frames) frame.reveal(false);
  }
  const isPinned = (kind, side, index) =>
    pinned !== null && pinned.kind === kind && pinned.side === side && pinned.index === index;

  function shorten(text, most) {
    return text.length > most ? text.slice(0, most - 1) + "…" : text;
  }

  function statusOf(side, s) {
    const prefix = side.key ? side.key + ": " : "";
    const step = walks[s][position];
    const lines = [];
    const letter = position > 0 ? word[position - 1] : "";
    if (step.unknown) {
      lines.push(unknownLetter(side, prefix, letter));
      return lines;
    }
    const states = [...step.states];
    if (states.length > 0)
      lines.push(el("p", { class: "status" }, prefix, position === 0 ? "starts in " : "now in ",
        states.slice(0, 12).map((q, i) => [i > 0 ? " or " : "",
          q < 0 ? stateText(q) : link({ kind: "state", side: s, index: q }, stateText(q))]),
        states.length > 12 ? " …" : ""));
    for (const stop of step.stops.slice(0, 5)) {
      const line = el("p", { class: "status dead" }, prefix, code(shorten(letter, 80)));
      if (stop.never) line.append(" cannot happen in state " + stop.state);
      else line.append(" is refused in state " + stop.state, ...reasonOf(side, s, stop.refusal));
      lines.push(line);
    }
    for (const q of step.given && position > 0 ? walks[s][position - 1].states : []) {
      const condition = q >= 0 && side.guards[q].get(parseLetter(side, letter).call);
      if (condition) lines.push(el("p", { class: "status" }, prefix, "in state " + q + " allowed when ", code(condition),
        "; this page does not look at values, ", code("tacit replay"), " does"));
    }
    if (states.length === 0 && step.stops.length === 0)
      lines.push(position === 0 ? el("p", { class: "status dead" }, prefix, "cannot be constructed this way")
        : endedBefore(side, s, prefix));
    return lines;
  }

  // What is wrong with a word that is no letter, and what was perhaps meant.
  function unknownLetter(side, prefix, letter) {
    const name = letter.replace(/\(.*/, "").split(":")[0];
    const call = side.calls.find((one) => one.name === name || one.name.replace(/\(.*/, "") === name);
    const line = el("p", { class: "status dead" }, prefix, code(shorten(letter, 80)), " is no call of this component");
    if (call && !letter.includes("(")) {
      line.replaceChildren(prefix, code(name), " has no such outcome; it has ",
        ...call.outcomes.slice(0, 8).flatMap((outcome, i) => [i > 0 ? ", " : "", code(call.name + ":" + outcome)]));
      return line;
    }
    const near = side.calls.map((one) => [distance(name.toLowerCase(), one.name.replace(/\(.*/, "").toLowerCase()), one.name])
      .filter(([far, one]) => far <= Math.max(1, one.length / 3)).sort((a, b) => a[0] - b[0]).slice(0, 3);
    if (near.length > 0)
      line.append("; did you mean ", ...near.flatMap(([, one], i) => [i > 0 ? " or " : "",
        el("button", { type: "button", onclick: () => { word[position - 1] = one; replay(true); } }, code(one))]), "?");
    else line.append("; its calls are ", side.calls.slice(0, 12).map((one) => one.name).join(", "), side.calls.length > 12 ? ", …" : "");
    return line;
  }

  // Of Levenshtein, with one row.
  function distance(a, b) {
    const row = [...Array(b.length + 1).keys()];
    for (let i = 1; i <= a.length; ++i) {
      let before = row[0];
      row[0] = i;
      for (let j = 1; j <= b.length; ++j) {
        const here = Math.min(row[j] + 1, row[j - 1] + 1, before + (a[i - 1] === b[j - 1] ? 0 : 1));
        before = row[j];
        row[j] = here;
      }
    }
    return row[b.length];
  }

  // A word behind one that nothing came of.
  function endedBefore(side, s, prefix) {
    const at = walks[s].findIndex((one) => one.states.size === 0);
    const line = el("p", { class: "status dead" }, prefix, "the sequence ended before this: ");
    if (at === 0) return line.append("nothing was constructed"), line;
    const step = walks[s][at];
    line.append("call " + at + ", ", code(shorten(word[at - 1], 60)), step.unknown ? ", is no call of this component"
      : step.stops.some((stop) => !stop.never) ? ", was refused" : ", cannot happen there");
    const [stop] = step.stops;
    if (stop) line.append(...reasonOf(side, s, stop.refusal));
    line.append(" ", el("button", { type: "button", onclick: () => go(at) }, "show"));
    return line;
  }

  function reasonOf(side, s, index) {
    if (index === undefined) return [];
    const refusal = side.refusals[index];
    return [": ", refusal.error ? code(shorten(refusal.error, 200)) : "no reason given",
      refusal.at ? " at " + shorten(refusal.at, 200) : "", " (", link({ kind: "refusal", side: s, index }, "why"), ")"];
  }

  // A button per letter that can come next, and per call that is refused here.
  function renderNext() {
    const letters = new Map(); // text -> {go, no, when}
    const note = (text, when) => {
      if (!letters.has(text)) letters.set(text, { go: false, no: false, when: "" });
      if (when) letters.get(text).when = when;
      return letters.get(text);
    };
    sides.forEach((side, s) => {
      for (const q of walks[s][position].states) {
        if (q < 0) continue;
        side.calls.forEach((call, c) => {
          if (!side.states[q].allows.includes(c)) note(call.name).no = true;
          else for (const t of side.moves[q].get(c) || [])
            note(letterName(call, side.transitions[t][2]), side.guards[q].get(c)).go = true;
        });
      }
    });
    const sorted = [...letters].sort((a, b) => (b[1].go - a[1].go) || (a[0] < b[0] ? -1 : 1));
    $("next").replaceChildren(...sorted.slice(0, 200).map(([text, { go: can, no, when }]) => el("button", {
      type: "button", class: can ? (when ? "go if" : "go") : "no",
      title: can && no ? "allowed in some of these states only" : can ? (when ? "allowed when " + when : "allowed") : "refused: click to see why",
      onclick: () => append(text),
    }, code(shorten(text, 60)), can ? "" : el("span", { class: "sr" }, " (refused)"))));
    $("next-label").textContent = sorted.length === 0 ? "" : sorted.length > 200 ? "Next (the first 200 of " + sorted.length + "):" : "Next:";
  }

  // ---- details ---------------------------------------------------------------------------------

  // Without a choice: the refusal that ended the word, else the state it leads to.
  function defaultDetails() {
    for (let s = sides.length - 1; s >= 0; --s) {
      const step = walks[s][position];
      if (step.stops.length > 0 && step.stops[0].refusal !== undefined)
        return { kind: "refusal", side: s, index: step.stops[0].refusal };
    }
    for (let s = sides.length - 1; s >= 0; --s) {
      const [state] = walks[s][position].states;
      if (state !== undefined && state >= 0) return { kind: "state", side: s, index: state };
    }
    return null;
  }

  function showDetails(what) {
    const box = $("details-body");
    if (what === null) {
      box.replaceChildren(el("p", { class: "soft" }, "Point at a state, click an arrow or a refused call."));
      return;
    }
    const make = { state: stateDetails, edge: edgeDetails, refusal: refusalDetails }[what.kind];
    box.replaceChildren(...make(sides[what.side], what.side, what.index));
  }
  const titleOf = (side, ...children) =>
    el("h3", {}, ...children, side.key ? el("span", { class: "soft" }, " (" + side.key + ")") : "");

  function stateDetails(side, s, q) {
    const state = side.states[q];
    const parts = [titleOf(side, "State " + q)];
    parts.push(el("p", {}, state.label ? code(state.label) : el("span", { class: "soft" }, "no label in the result")));
    const allowed = el("ul", { class: "list" }), refused = el("ul", { class: "list" });
    side.calls.forEach((call, c) => {
      if (!state.allows.includes(c)) {
        const item = el("li", {});
        const index = side.refused[q].get(c);
        item.append(index === undefined ? code(call.name) : link({ kind: "refusal", side: s, index }, code(call.name)));
        if (index !== undefined) {
          const refusal = side.refusals[index];
          if (refusal.error) item.append(": ", shorten(refusal.error, 200));
          if (refusal.at) item.append(" at ", shorten(refusal.at, 200));
        }
        refused.append(item);
        return;
      }
      const moves = side.moves[q].get(c) || [];
      if (moves.length === 0) allowed.append(el("li", {}, code(call.name), " (never returns)"));
      for (const t of moves) {
        const [, , outcome, to, , sign] = side.transitions[t];
        allowed.append(el("li", {}, link({ kind: "edge", side: s, index: side.edgesOf[t] }, code(letterText(side, t))),
          sign ? " " + sign : "", " → ", to < 0 ? stateText(to) : to === q ? "itself" : link({ kind: "state", side: s, index: to }, String(to))));
      }
    });
    if (allowed.childElementCount) parts.push(el("h4", {}, "Allows"), allowed);
    else parts.push(el("p", {}, "Nothing is allowed."));
    if (refused.childElementCount) parts.push(el("h4", {}, "Refuses"), refused);
    return parts;
  }

  function valuesTable(before, after) {
    const names = [...new Set([...Object.keys(before || {}), ...Object.keys(after || {})])].sort();
    if (names.length === 0) return el("p", { class: "soft" }, "no values in the result");
    const body = el("tbody");
    for (const name of names) {
      const was = before && Object.hasOwn(before, name) ? before[name] : "";
      const is = after && Object.hasOwn(after, name) ? after[name] : "";
      body.append(el("tr", { class: before && was !== is ? "changed" : "" }, el("td", {}, code(name)),
        before ? el("td", {}, was) : null, el("td", {}, is)));
    }
    return el("div", { class: "scroll" }, el("table", { class: "values" }, el("thead", {}, el("tr", {},
      el("th", { scope: "col" }, "field"), before ? el("th", { scope: "col" }, "before") : null,
      el("th", { scope: "col" }, before ? "after" : "value"))), body));
  }
  function edgeDetails(side, s, index) {
    const [from, to, transitions] = side.edges[index];
    const parts = [titleOf(side, "From ", link({ kind: "state", side: s, index: from }, "state " + from), " to ",
      to < 0 ? stateText(to) : link({ kind: "state", side: s, index: to }, "state " + to))];
    for (const t of transitions.slice(0, 60)) {
      const [, , , , example, sign] = side.transitions[t];
      parts.push(el("h4", {}, code(letterText(side, t)), sign ? " " + sign : ""));
      if (!example) {
        parts.push(el("p", { class: "soft" }, "no example run in the result"));
        continue;
      }
      for (const step of example.steps) {
        parts.push(el("p", {}, "Example: ", code(step.call), step.outcome ? " with outcome " : "", step.outcome ? code(step.outcome) : ""));
        parts.push(valuesTable(example.before, step.after));
      }
    }
    if (transitions.length > 60) parts.push(el("p", { class: "soft" }, "and " + (transitions.length - 60) + " more letters"));
    return parts;
  }

  function wordLinks(letters, made) {
    const line = el("p", { class: "word" });
    // Long words are linked as a whole, at their end.
    if (letters.length > 60) {
      line.append(link({ word: letters, made: sides.some((x) => x.initial.length > 1) ? made : null },
        letters.slice(0, 60).map((letter) => [code(shorten(letter, 200)), " · "]), "… (" + letters.length + " calls)"));
      return line;
    }
    letters.forEach((letter, i) => line.append(link(
      { word: letters, at: i + 1, made: sides.some((x) => x.initial.length > 1) ? made : null },
      code(shorten(letter, 200)))));
    return line;
  }

  function refusalDetails(side, s, index) {
    const refusal = side.refusals[index];
    const name = refusal.s === null ? side.constructors[refusal.c] : side.calls[refusal.c].name;
    const parts = [titleOf(side, code(name), refusal.s === null ? " may not be used" : " is refused in ",
      refusal.s === null ? "" : link({ kind: "state", side: s, index: refusal.s }, "state " + refusal.s))];
    parts.push(el("p", {}, refusal.error ? code(refusal.error) : "No reason is given in the result.",
      refusal.at ? " at " + refusal.at : ""));
    for (const need of refusal.needs) parts.push(el("p", {}, "It errs " + need + "."));
    const run = refusal.run;
    if (refusal.word.length > 0 && refusal.s !== null) {
      parts.push(el("h4", {}, "Shortest sequence that gets there"));
      parts.push(wordLinks(refusal.word.map((i) => side.names[i]), run ? run.made : null));
    }
    if (refusal.excerpt !== null && refusal.excerpt !== undefined) parts.push(...excerptOf(side.excerpts[refusal.excerpt]));
    if (run) {
      parts.push(el("h4", {}, "One run of it"));
      const list = el("ol", { class: "list" });
      if (run.made) list.append(el("li", {}, code(run.shown)));
      let before = null;
      for (const step of run.steps) {
        const item = el("li", {}, code(step.call), " ", step.outcome ? code(step.outcome) : el("strong", {}, "errs"));
        if (step.after && Object.keys(step.after).length) item.append(valuesTable(before, step.after));
        before = step.after || before;
        list.append(item);
      }
      parts.push(list);
    }
    return parts;
  }

  function excerptOf(excerpt) {
    const parts = [el("h4", {}, "Where it errs"), el("p", { class: "soft" }, excerpt.note)];
    if (excerpt.lines.length > 0) {
      const pre = el("pre", { class: "excerpt", tabindex: "0", "aria-label": "source excerpt" });
      excerpt.lines.forEach((line, i) => {
        const number = excerpt.first + i;
        pre.append(el("span", { class: number === excerpt.line ? "at" : "" }, el("b", {}, String(number)), line));
      });
      parts.push(pre);
    }
    return parts;
  }

  // ---- the size of pictures --------------------------------------------------------------------

  // Fitted to its frame, unless that made it too small to read: then it is scrolled to where the
  // sequence is. Dragging moves it.
  const frames = [];
  function zoomable(picture) {
    const frame = picture.closest("figure"), view = picture.closest(".view");
    const natural = Number(picture.getAttribute("width")), height = Number(picture.getAttribute("height"));
    const readable = 0.8;
    let zoom = 1, own = false; // own: somebody chose the size
    const fitting = () => Math.min((view.clientWidth - 4) / natural, (view.clientHeight - 4) / height, 1.6);
    const set = (value) => {
      const x = (view.scrollLeft + view.clientWidth / 2) / zoom, y = (view.scrollTop + view.clientHeight / 2) / zoom;
      zoom = Math.min(Math.max(value, 0.05), 4);
      picture.setAttribute("width", Math.round(natural * zoom));
      picture.setAttribute("height", Math.round(height * zoom));
      view.scrollLeft = x * zoom - view.clientWidth / 2;
      view.scrollTop = y * zoom - view.clientHeight / 2;
    };
    const reveal = (centre) => {
      const node = picture.querySelector(".node.here, .node.stopped");
      if (!node) return;
      const at = node.getBoundingClientRect(), room = view.getBoundingClientRect();
      if (!centre && at.left >= room.left && at.right <= room.right && at.top >= room.top && at.bottom <= room.bottom) return;
      view.scrollLeft += (at.left + at.right - room.left - room.right) / 2;
      view.scrollTop += (at.top + at.bottom - room.top - room.bottom) / 2;
    };
    const fit = () => {
      own = false;
      set(Math.max(fitting(), Math.min(readable, 1)));
      reveal(true);
    };
    const choose = (value) => {
      own = true;
      set(value);
    };
    const button = (text, title, action) =>
      el("button", { type: "button", title, "aria-label": title, onclick: action }, text);
    frame.prepend(el("div", { class: "zoom" }, button("−", "smaller picture", () => choose(zoom / 1.25)),
      button("+", "larger picture", () => choose(zoom * 1.25)), button("fit", "fit: a readable size", fit),
      button("all", "all: the whole picture", () => choose(Math.min(fitting(), 1)))));
    view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      choose(event.deltaY < 0 ? zoom * 1.1 : zoom / 1.1);
    }, { passive: false });
    let from = null;
    view.addEventListener("mousedown", (event) => {
      if (event.button === 0 && !event.target.closest(".node, .edge"))
        from = [event.clientX + view.scrollLeft, event.clientY + view.scrollTop];
    });
    addEventListener("mousemove", (event) => {
      if (from === null) return;
      view.scrollLeft = from[0] - event.clientX;
      view.scrollTop = from[1] - event.clientY;
      event.preventDefault();
    });
    addEventListener("mouseup", () => { from = null; });
    frames.push({ reveal, resized: () => { if (!own) fit(); } });
    fit();
  }
  // The stage ends where the window does.
  function fitStage() {
    const top = $("stage").getBoundingClientRect().top + scrollY;
    document.documentElement.style.setProperty("--above", Math.round(top) + "px");
  }

  // ---- events ----------------------------------------------------------------------------------

  function wire(node, what, text) {
    if (!node) return;
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", text);
    if (what.kind === "state") {
      const preview = () => showDetails(what);
      node.addEventListener("mouseenter", preview);
      node.addEventListener("focus", preview);
      const back = () => showDetails(pinned || defaultDetails());
      node.addEventListener("mouseleave", back);
      node.addEventListener("blur", back);
    }
    const choose = () => {
      history.replaceState(null, "", hashFor(what));
      pin(what);
    };
    node.addEventListener("click", choose);
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
  }

  // What a button is called begins with what is seen on it.
  const seenOn = (node) => (node ? [...node.querySelectorAll("text")].map((text) => text.textContent).join(" ") : "");
  sides.forEach((side, s) => {
    side.states.forEach((state, q) => {
      const node = $(side.prefix + "s" + q);
      wire(node, { kind: "state", side: s, index: q }, "state " + seenOn(node));
    });
    side.edges.forEach(([from, to], e) => {
      const node = $(side.prefix + "e" + e);
      wire(node, { kind: "edge", side: s, index: e }, seenOn(node) + " from state " + from + " to " + stateText(to));
    });
    for (const [id, name] of side.marks) mark(side.prefix + id, name, true);
  });

  $("replay").addEventListener("submit", (event) => {
    event.preventDefault();
    word = splitWord($("word").value);
    position = word.length;
    replay(true);
  });
  if ($("constructor")) $("constructor").addEventListener("change", (event) => {
    constructor = event.target.value || null;
    replay(true);
  });
  $("first").addEventListener("click", () => go(0));
  $("back").addEventListener("click", () => go(position - 1));
  $("forward").addEventListener("click", () => go(position + 1));
  $("last").addEventListener("click", () => go(word.length));
  $("clear").addEventListener("click", () => {
    word = [];
    position = 0;
    replay(true);
  });

  function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }
  $("theme").addEventListener("click", toggleTheme);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest && event.target.closest("input, select, textarea");
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      pinned = null;
      render();
      return;
    }
    if (typing) return;
    const actions = {
      ArrowLeft: () => go(position - 1), ArrowRight: () => go(position + 1),
      Home: () => go(0), End: () => go(word.length),
      "/": () => $("word").focus(), t: toggleTheme,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  addEventListener("hashchange", readHash);

  document.documentElement.classList.add("live");
  fitStage();
  replay(false);
  for (const side of sides) if ($(side.prefix + "picture")) zoomable($(side.prefix + "picture"));
  addEventListener("resize", () => {
    fitStage();
    for (const frame of frames) frame.resized();
  });
  if (location.hash.length > 1) readHash();
})();
