// The edit explorer: the cases are moved here, and everything is counted anew.
const s = state
if (typeof s.weights[0] === "string") {
  s.weights = s.weights.map(read_ratio)
  s.scores = s.scores.map(read_ratio)
}

// Where the cases stand -------------------------------------------------------------------------

function after(edits) {
  let steps = [...s.steps], labels = [...s.labels]
  for (const edit of edits) {
    if (edit.length) {
      steps[edit[0]] = edit[1]
      labels[edit[0]] = edit[2]
    } else {
      steps = [...s.steps]
      labels = [...s.labels]
    }
  }
  return {steps, labels}
}

const clamped = (steps) => Math.max(s.low, Math.min(s.high, steps))
const step_at = (score) => clamped(Math.round((score - s.origin) / s.grid))
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)

// What can be done ------------------------------------------------------------------------------

function put(edit) {
  const now = after(memo.tags)
  const is_new = edit.length ? edit[1] !== now.steps[edit[0]] || edit[2] !== now.labels[edit[0]]
    : !same(now, after([]))
  if (is_new) memo.tags = [...memo.tags, edit]
  return is_new
}

function nudge(by) {
  const i = Number(chooser.value)
  const now = after(memo.tags)
  // From between two steps, the first nudge goes to the next of them.
  const from = now.steps[i] ?? (by > 0 ? Math.floor(s.keys[i]) : Math.ceil(s.keys[i]))
  return put([i, clamped(from + by), now.labels[i]]) || "It stands at the end of the axis."
}

function put_into(label) {
  const i = Number(chooser.value)
  return put([i, after(memo.tags).steps[i], label]) || "It is in this class already."
}

function undo() {
  if (!memo.tags.length) return "There is nothing to undo."
  memo.tags = memo.tags.slice(0, -1)
  return true
}

function redo() {
  const next = s.future[memo.tags.length]
  if (!next) return "There is nothing to redo."
  memo.tags = [...memo.tags, next]
  return true
}

// The next case to the left or to the right
function choose(by) {
  const {order} = counted(after(memo.tags), s)
  const next = order[order.indexOf(Number(chooser.value)) - by]
  if (next === undefined) return "There is no case farther on."
  chooser.value = String(next)
  return true
}

const actions = {
  left5: () => nudge(-5), left: () => nudge(-1), right: () => nudge(1), right5: () => nudge(5),
  flip: () => put_into(1 - after(memo.tags).labels[Number(chooser.value)]), undo, redo,
  reset: () => put([]) || "All cases stand where they were given.",
}

// The case under the pointer, if there is one.
function hit(event) {
  const width = strip.inner_width / (strip.x_range.end - strip.x_range.start)
  const height = strip.inner_height / (strip.y_range.end - strip.y_range.start)
  let best = null, least = 30
  for (let i = 0; i < s.n; i++) {
    const far = Math.hypot((dots.data.x[i] - event.x) * width, (dots.data.y[i] - event.y) * height)
    if (far < least) [best, least] = [i, far]
  }
  return best
}

function act(event) {
  const kind = event.event_name
  if (kind === "button_click") {
    const [name] = Object.entries(buttons).find(([, button]) => button === event.origin)
    return actions[name]()
  }
  if (kind === "tap") {
    const i = hit(event)
    if (i !== null) chooser.value = String(i)
    return true
  }
  if (kind === "panstart") {
    const i = hit(event)
    s.drag = null
    // It need not be gripped in its middle.
    if (i !== null) s.drag = {i, dx: event.x - dots.data.x[i], dy: event.y - after(memo.tags).labels[i]}
    if (i !== null) chooser.value = String(i)
    return true
  }
  if (kind === "pan") {
    if (!s.drag) return true
    s.drag.steps = step_at(event.x - s.drag.dx)
    s.drag.label = event.y - s.drag.dy > 0.5 ? 1 : 0
    return false
  }
  if (kind === "panend") {
    const drag = s.drag
    s.drag = null
    return drag && drag.steps !== undefined && put([drag.i, drag.steps, drag.label])
  }
  return false
}

// Keys move the chosen case while a button or the strip has the focus.
function pressed(event) {
  const command = event.ctrlKey || event.metaKey
  const far = event.shiftKey ? 5 : 1
  const does = command
    ? {z: event.shiftKey ? redo : undo, Z: redo, y: redo}[event.key]
    : {
      ArrowLeft: () => nudge(-far), ArrowRight: () => nudge(far),
      ArrowUp: () => put_into(1), ArrowDown: () => put_into(0),
      PageUp: () => choose(1), PageDown: () => choose(-1),
    }[event.key]
  if (!does || event.altKey) return
  event.preventDefault()
  event.stopPropagation() // a notebook has uses of its own for some of them
  const answer = does()
  if (typeof answer === "string") show(answer)
}

function listen() {
  for (const [name, button] of Object.entries(buttons)) {
    for (const {shadow_el} of views_of(button)) {
      const found = shadow_el.querySelector("button")
      found.onkeydown = pressed
      if (s.spoken[name]) found.setAttribute("aria-label", s.spoken[name])
    }
  }
  for (const view of views_of(strip)) {
    view.el.onkeydown = pressed
    if (view.el.tabIndex === 0) continue
    view.el.tabIndex = 0
    view.el.setAttribute("role", "application")
    view.el.setAttribute("aria-label", "The cases along the axis of their scores. Arrow keys move the chosen one.")
    // On a touch screen the strip is dragged sideways, and the page up and down.
    view.canvas?.touch_action?.replace(".bk-events { touch-action: pan-y pinch-zoom; }")
  }
}

// Texts -----------------------------------------------------------------------------------------

const score_text = (now, i) => now.steps[i] === null ? s.score_texts[i] : s.step_texts[now.steps[i] - s.low]
const sign = (label) => label ? "+" : "−"

function arrow(now, before) {
  if (now === null || before === null || Math.abs(now - before) < 1e-12) return ""
  return now > before ? `&nbsp;<span class="more" title="larger than as given">▲</span>`
    : `&nbsp;<span class="less" title="smaller than as given">▼</span>`
}

function write_ranking(now, k) {
  const cut_row = `<tr class="cut"><td colspan="4">called + ↑ &nbsp; ↓ called −</td></tr>`
  const rows = []
  now.order.forEach((i, place) => {
    if (place === k) rows.push(cut_row)
    const side = place < k ? "up" : "down"
    const mark = String(i) === chooser.value ? " chosen" : ""
    const moved = now.steps[i] !== s.steps[i] || now.labels[i] !== s.labels[i] ? "✎ " : ""
    rows.push(`<tr class="${side}${mark}"><td>${moved}${place + 1}</td><td class="name">${escaped(s.names[i])}</td>` +
      `<td>${sign(now.labels[i])}</td><td>${score_text(now, i)}</td></tr>`)
  })
  if (k === s.n) rows.push(cut_row)
  write(ranking, `<h3>Ranking</h3><table><thead><tr><th scope="col">place</th><th scope="col">case</th>` +
    `<th scope="col">class</th><th scope="col">score</th></tr></thead><tbody>${rows.join("")}` +
    `</tbody></table><p class="key">✎ edited</p>`)
}

// A long ranking is scrolled to the line, or to the case that was moved.
function scroll_ranking() {
  for (const {el, markup_el} of views_of(ranking)) {
    if (el.scrollHeight <= el.clientHeight) continue
    const row = markup_el.querySelector(cb_obj === slider ? "tr.cut" : "tr.chosen").getBoundingClientRect()
    const {top, bottom} = el.getBoundingClientRect()
    if (row.top < top || row.bottom > bottom) el.scrollTop += (row.top + row.bottom - top - bottom) / 2
  }
}

function write_measures(found, before, threshold) {
  const worded = (text) => text.startsWith("undefined") ? `<span class="words">${text}</span>`
    : minus(text).replace(/([=≈]) /, "$1&nbsp;")
  const line = (key) => `<tr><th scope="row">${s.titles[key]}</th>` +
    `<td class="now">${worded(found[key].text)}${arrow(found[key].number, before[key].number)}</td>` +
    `<td>${worded(before[key].text.split(":")[0])}</td></tr>`
  const head = (words) => `<tr class="group"><th colspan="3" scope="rowgroup">${words}</th></tr>`
  write(measures, `<h3>Measures</h3><table><thead><tr><th scope="col">measure</th><th scope="col">now</th>` +
    `<th scope="col">as given</th></tr></thead><tbody>${head("of the whole ranking")}` +
    s.whole.map(line).join("") + head(`at the threshold ${threshold}`) +
    s.counted.map(line).join("") + `</tbody></table><p class="key">▲ larger, ▼ smaller than as given</p>`)
}

// Figures ---------------------------------------------------------------------------------------

// Cases that would cover one another are moved aside: up, down, farther up, ...
function aside(now) {
  const needed = (s.size + 1) * (strip.x_range.end - strip.x_range.start) / (strip.inner_width || 900)
  const rows = [[], []], level = []
  for (const i of [...now.order].reverse()) {
    const ends = rows[now.labels[i]]
    let row = ends.findIndex((end) => now.x[i] - end >= needed)
    if (row < 0) row = ends.length
    ends[row] = now.x[i]
    level[i] = row
  }
  const most = Math.ceil((Math.max(rows[0].length, rows[1].length) - 1) / 2)
  const apart = Math.min(s.size * 0.013, 0.45 / Math.max(most, 1))
  return level.map((row) => Math.ceil(row / 2) * (row % 2 ? 1 : -1) * apart)
}

function draw_strip(now) {
  const offsets = aside(now)
  const chosen = Number(chooser.value)
  dots.data = {
    x: now.x, y: now.labels.map((label, i) => label + offsets[i]), name: s.names, short: s.short_names,
    klass: now.labels.map((label) => label ? "positive" : "negative"),
    score: now.x.map((_, i) => score_text(now, i)),
    marker: now.labels.map((label) => label ? "circle" : "square"),
    colour: now.labels.map((label) => s.colours[label]),
    ink: now.labels.map((label) => s.inks[label]),
  }
  const column = ([name, values]) => [name, [values[chosen]]]
  sources.chosen.data = Object.fromEntries(Object.entries(dots.data).map(column))
}

function draw_curves(now, cut) {
  const points = (pairs, text) => ({
    x: pairs.map(([x]) => double(x)), y: pairs.map(([, y]) => double(y)),
    text: pairs.map(([x, y]) => minus(text(with_digits(x), with_digits(y)))),
  })
  const roc = (cuts) => points(now.ups.p && now.downs.p
    ? cuts.map(({tp, fp}) => [over(fp, now.downs), over(tp, now.ups)]) : [], (x, y) => `TPR ${y}, FPR ${x}`)
  sources.roc.data = roc(now.cuts)
  sources.hull.data = roc(now.hull)
  sources.roc_now.data = roc([cut])
  const why = now.ups.p ? now.downs.p ? "" : "no negative case" : "no positive case"
  figures.roc.title.text = why ? `No ROC curve: ${why}` : "ROC curve"

  const pr = (cuts) => points(cuts.filter(({k, tp, fp}) => k && now.ups.p && plus(tp, fp).p)
    .map(({tp, fp}) => [over(tp, now.ups), over(tp, plus(tp, fp))]), (x, y) => `recall ${x}, precision ${y}`)
  sources.pr.data = pr(now.cuts)
  sources.pr_now.data = pr([cut])
  const prevalence = double(over(now.ups, now.all))
  sources.prevalence.data = {x: [0, 1], y: [prevalence, prevalence]}
  figures.pr.title.text = now.ups.p ? "Precision-recall curve" : "No PR curve: no positive case"
}

// Everything ------------------------------------------------------------------------------------

function show(said) {
  const standing = after(memo.tags)
  if (s.drag && s.drag.steps !== undefined) {
    standing.steps[s.drag.i] = s.drag.steps
    standing.labels[s.drag.i] = s.drag.label
  }
  const now = counted(standing, s)
  s.given ??= counted(after([]), s)
  const at = step_at(slider.value), threshold = s.step_texts[at - s.low]
  const cut_of = (some) => {
    const called = some.keys.filter((key) => key > at).length
    return some.cuts.find((cut) => cut.k === called)
  }
  const cut = cut_of(now), given_cut = cut_of(s.given)
  const found = {...whole_measures(now, s), ...cut_measures(cut, now)}
  const before = {...whole_measures(s.given, s), ...cut_measures(given_cut, s.given)}
  const counts = [cut.tp, cut.fp, less(now.ups, cut.tp), less(now.downs, cut.fp)].map(exactly)
  const names = ["TP", "FP", "FN", "TN"]

  draw_strip(now)
  draw_curves(now, cut)
  write_ranking(now, cut.k)
  scroll_ranking()
  write(matrix, matrix_text("Confusion matrix", counts.map((count, i) => [count, names[i]])))
  write_measures(found, before, threshold)
  line.location = s.step_x[at - s.low]
  for (const side of sides) side.x = line.location

  const i = Number(chooser.value)
  const auc = found.auc.text
  const words = auc.startsWith("undefined") ? `is ${auc}` : auc.startsWith("≈") ? auc : `= ${auc}`
  const sentence = `${said ? said + " " : ""}Case ${escaped(s.names[i])} is really ${now.labels[i] ? "positive" : "negative"}, ` +
    `score ${score_text(now, i)}, place ${now.order.indexOf(i) + 1} of ${s.n}. AUC ${minus(words)}. ` +
    `Called positive with score &gt; ${threshold}: ${cut.k} of ${s.n} ` +
    `(${names.map((name, c) => `${name}&nbsp;=&nbsp;${counts[c]}`).join(", ")}).`
  write(summary, sentence)
  if (!s.drag) explain(standing, cut.k, threshold.replace("−", "-"), sentence)
}

// The derivation is Python's. Where it does not come, Python has not heard of what was moved here, either.
function explain(standing, k, at, sentence) {
  if (!derivation.tags.includes("live")) {
    write(derivation, filled(s.no_python, [s.calls[measure.value].replace("AT", at).replace("TOP", k)]))
    return
  }
  const placed = standing.steps.map((steps, i) => `${steps ?? "*"}${standing.labels[i] ? "+" : "-"}`).join(" ")
  await_answer(derivation, `${measure.value} ${k} ${placed}`, s.no_answer)
  clearTimeout(s.patience)
  s.patience = setTimeout(() => {
    if (derivation.text === s.no_answer) write(summary, `${sentence} ${s.unheard}`)
  }, 1700)
}

// What was undone can be done again, as long as nothing else is done.
if (!same(s.future.slice(0, memo.tags.length), memo.tags)) s.future = [...memo.tags]
if (cb_obj === memo) {
  // The case that was moved, here or in Python, is the chosen one.
  const was = after(s.last), is = after(memo.tags)
  s.last = memo.tags
  const moved = is.steps.map((_, i) => i).filter((i) => was.steps[i] !== is.steps[i] || was.labels[i] !== is.labels[i])
  if (moved.length === 1) chooser.value = String(moved[0])
}
const answer = act(cb_obj)
// What was done has already been shown, being a change of its own.
if (answer !== true) show(typeof answer === "string" ? answer : "")
listen()
name_handles([slider])
