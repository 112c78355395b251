// The edit explorer: the cases are moved here, and everything is counted anew.
// Exact values come from Python, if it runs; until they are here, doubles stand in, marked ≈.
const s = state
const EPSILON = 1e-5 // what stands for 0 in a logarithm

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

function score_at(steps) {
  const score = s.origin + steps * s.grid
  return s.places <= 15 ? Number(score.toFixed(s.places)) : score
}

const clamped = (steps) => Math.max(s.low, Math.min(s.high, steps))
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

function flip() {
  const i = Number(chooser.value)
  const now = after(memo.tags)
  return put([i, now.steps[i], 1 - now.labels[i]])
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

const actions = {
  left5: () => nudge(-5), left: () => nudge(-1), right: () => nudge(1), right5: () => nudge(5),
  flip, undo, redo,
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
    s.drag.steps = clamped(Math.round((event.x - s.drag.dx - s.origin) / s.grid))
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

// Counting --------------------------------------------------------------------------------------

function counted(now) {
  const keys = now.steps.map((steps, i) => steps ?? s.keys[i])
  const x = now.steps.map((steps, i) => steps === null ? s.x[i] : score_at(steps))
  const order = keys.map((_, i) => i).sort((a, b) => keys[b] - keys[a])
  const cuts = [{k: 0, tp: 0, fp: 0}]
  order.forEach((i, place) => {
    // Tied scores cross the threshold together, so they form one cut.
    const tied = place > 0 && keys[order[place - 1]] === keys[i]
    const last = cuts[cuts.length - 1]
    const cut = tied ? last : {...last}
    cut.k = place + 1
    cut[now.labels[i] ? "tp" : "fp"] += s.weights[i]
    if (!tied) cuts.push(cut)
  })
  const {tp: ups, fp: downs} = cuts[cuts.length - 1]
  const hull = []
  for (const cut of cuts) {
    const bends = (a, b) => (b.fp - a.fp) * (cut.tp - a.tp) - (b.tp - a.tp) * (cut.fp - a.fp) < 0
    while (hull.length > 1 && !bends(hull[hull.length - 2], hull[hull.length - 1])) hull.pop()
    hull.push(cut)
  }
  return {...now, keys, x, order, cuts, hull, ups, downs}
}

function area(cuts, all) {
  let sum = 0
  for (let i = 1; i < cuts.length; i++) {
    sum += (cuts[i].fp - cuts[i - 1].fp) * (cuts[i].tp + cuts[i - 1].tp) / 2
  }
  return sum / (all.ups * all.downs)
}

// A double, or in words why there is none.
function whole_measures(all) {
  const none = !all.ups ? "there is no positive case" : !all.downs ? "there is no negative case" : ""
  const found = {auc: none, gini: none, auch: none, ks: none}
  if (!none) {
    found.auc = area(all.cuts, all)
    found.gini = 2 * found.auc - 1
    found.auch = area(all.hull, all)
    found.ks = Math.max(...all.cuts.map((cut) => Math.abs(cut.tp / all.ups - cut.fp / all.downs)))
  }
  found.average_precision = "there is no positive case"
  if (all.ups) {
    let last = 0, sum = 0
    for (const {tp, fp} of all.cuts) {
      if (tp > last) sum += tp / (tp + fp) * (tp - last)
      last = tp
    }
    found.average_precision = sum / all.ups
  }
  let squares = 0, logs = 0
  for (let i = 0; i < s.n; i++) {
    const truth = all.labels[i] ? all.x[i] : 1 - all.x[i]
    squares += s.weights[i] * (1 - truth) ** 2
    logs -= s.weights[i] * Math.log2(truth || EPSILON)
  }
  found.brier_score = squares / (all.ups + all.downs)
  found.log_loss = logs / (all.ups + all.downs)
  return found
}

function cut_measures({tp, fp}, all) {
  const n = all.ups + all.downs
  // Weights are doubles: what is left of them may miss 0 by a hair.
  const left = (some, part) => some - part < 1e-12 * n ? 0 : some - part
  const fn = left(all.ups, tp), tn = left(all.downs, fp)
  const no_ups = "there is no positive case", no_downs = "there is no negative case"
  const no_class = !all.ups ? no_ups : !all.downs ? no_downs : ""
  const alike = !(tp + fp) ? "no case was called positive" : !(tn + fn) ? "no case was called negative" : ""
  const by_chance = ((tp + fp) * all.ups + (fn + tn) * all.downs) / n ** 2
  return {
    accuracy: (tp + tn) / n,
    balanced_accuracy: no_class || (tp / all.ups + tn / all.downs) / 2,
    precision: tp + fp ? tp / (tp + fp) : alike,
    sensitivity: all.ups ? tp / all.ups : no_ups,
    specificity: all.downs ? tn / all.downs : no_downs,
    f_measure: tp + fp + fn ? 2 * tp / (2 * tp + fp + fn) : "no case is positive or was called so",
    youden_index: no_class || tp / all.ups + tn / all.downs - 1,
    cohens_kappa: 1 - by_chance < 1e-12 ? "all cases are of one class and were called so"
      : ((tp + tn) / n - by_chance) / (1 - by_chance),
    matthews_correlation: no_class || alike ||
      (tp * tn - fp * fn) / Math.sqrt(all.ups * (tp + fp) * (tn + fp) * (tn + fn)),
  }
}

// Texts -----------------------------------------------------------------------------------------

const minus = (text) => text.replace("-", "−")
const rounded = (number) => minus(String(Number(number.toFixed(4))))
const about = (found) => typeof found === "string" ? `undefined: ${found}` : `≈ ${rounded(found)}`
const share = (part, all) => s.weighted ? `≈ ${rounded(part / all)}` : `${part}/${all}`
const score_text = (all, i) => minus(all.steps[i] === null ? s.score_texts[i] : String(all.x[i]))
const sign = (label) => label ? "+" : "−"

function arrow(now, before) {
  if (typeof now === "string" || typeof before === "string" || Math.abs(now - before) < 1e-9) return ""
  return now > before ? `&nbsp;<span class="more" title="larger than as given">▲</span>`
    : `&nbsp;<span class="less" title="smaller than as given">▼</span>`
}

function draw_ranking(all, k) {
  const cut_row = `<tr class="cut"><td colspan="4">called + ↑ &nbsp; ↓ called −</td></tr>`
  const rows = []
  all.order.forEach((i, place) => {
    if (place === k) rows.push(cut_row)
    const side = place < k ? "up" : "down"
    const mark = String(i) === chooser.value ? " chosen" : ""
    const moved = all.steps[i] !== s.steps[i] || all.labels[i] !== s.labels[i] ? "✎ " : ""
    rows.push(`<tr class="${side}${mark}"><td>${moved}${place + 1}</td><td>${s.names[i]}</td>` +
      `<td>${sign(all.labels[i])}</td><td>${score_text(all, i)}</td></tr>`)
  })
  if (k === s.n) rows.push(cut_row)
  ranking.text = `<h3>Ranking</h3><table><thead><tr><th scope="col">place</th><th scope="col">case</th>` +
    `<th scope="col">class</th><th scope="col">score</th></tr></thead><tbody>${rows.join("")}` +
    `</tbody></table><p class="key">✎ edited</p>`
}

function draw_matrix(counts) {
  const cell = (name, count, right) =>
    `<td class="${right ? "right" : "wrong"}"><b>${count}</b><br><span>${name}</span></td>`
  matrix.text = `<h3>Confusion matrix</h3><table><thead><tr><td></td><th scope="col">really +</th>` +
    `<th scope="col">really −</th></tr></thead><tbody><tr><th scope="row">called +</th>` +
    `${cell("TP", counts[0], true)}${cell("FP", counts[1], false)}</tr><tr><th scope="row">called −</th>` +
    `${cell("FN", counts[2], false)}${cell("TN", counts[3], true)}</tr></tbody></table>`
}

function draw_measures(rows, exactly, threshold) {
  const worded = (text) => text.startsWith("undefined") ? `<span class="words">${text}</span>`
    : text.replace(/([=≈]) /, "$1&nbsp;")
  const line = ([key, text, before, change]) => `<tr><th scope="row">${s.titles[key]}</th>` +
    `<td class="now">${worded(text)}${change}</td><td>${worded(before.split(":")[0])}</td></tr>`
  const head = (words) => `<tr class="group"><th colspan="3" scope="rowgroup">${words}</th></tr>`
  measures.text = `<h3>Measures</h3><p class="note">${exactly ? s.exact_note : s.rounded_note}</p>` +
    `<table><thead><tr><th scope="col">measure</th><th scope="col">now</th>` +
    `<th scope="col">as given</th></tr></thead><tbody>${head("of the whole ranking")}` +
    rows.filter(([key]) => s.whole.includes(key)).map(line).join("") +
    head(`at the threshold ${threshold}`) +
    rows.filter(([key]) => !s.whole.includes(key)).map(line).join("") + `</tbody></table><p class="key">▲ larger, ▼ smaller than as given</p>`
}

// Cases that would cover one another are moved aside: up, down, farther up, ...
function aside(all) {
  const needed = (s.size + 1) * (strip.x_range.end - strip.x_range.start) / (strip.inner_width || 900)
  const rows = [[], []], level = []
  for (const i of [...all.order].reverse()) {
    const ends = rows[all.labels[i]]
    let row = ends.findIndex((end) => all.x[i] - end >= needed)
    if (row < 0) row = ends.length
    ends[row] = all.x[i]
    level[i] = row
  }
  const most = Math.ceil((Math.max(rows[0].length, rows[1].length) - 1) / 2)
  const apart = Math.min(s.size * 0.013, 0.45 / Math.max(most, 1))
  return level.map((row) => Math.ceil(row / 2) * (row % 2 ? 1 : -1) * apart)
}

function draw_strip(all) {
  const offsets = aside(all)
  const y = all.labels.map((label, i) => label + offsets[i])
  const chosen = Number(chooser.value)
  dots.data = {
    x: all.x, y, name: s.plain_names, short: s.short_names,
    klass: all.labels.map((label) => label ? "positive" : "negative"),
    score: all.x.map((_, i) => score_text(all, i)),
    marker: all.labels.map((label) => label ? "circle" : "square"),
    colour: all.labels.map((label) => s.colours[label]),
    ink: all.labels.map((label) => s.inks[label]),
  }
  const column = ([name, values]) => [name, [values[chosen]]]
  sources.chosen.data = Object.fromEntries(Object.entries(dots.data).map(column))
}

function draw_curves(all, cut) {
  const both = all.ups && all.downs
  const rates = (cuts) => ({x: cuts.map((c) => c.fp / all.downs), y: cuts.map((c) => c.tp / all.ups)})
  const roc_text = (c) => `TPR ${share(c.tp, all.ups)}, FPR ${share(c.fp, all.downs)}`
  const of = (cuts, text) => ({...rates(cuts), text: cuts.map(text)})
  sources.roc.data = of(both ? all.cuts : [], roc_text)
  sources.hull.data = rates(both ? all.hull : [])
  sources.roc_now.data = of(both ? [cut] : [], roc_text)
  const why = all.ups ? "no negative case" : "no positive case"
  figures.roc.title.text = both ? "ROC curve" : `No ROC curve: ${why}`

  const pr = (cuts) => {
    const called = cuts.filter((c) => all.ups && c.tp + c.fp)
    return {
      x: called.map((c) => c.tp / all.ups), y: called.map((c) => c.tp / (c.tp + c.fp)),
      text: called.map((c) => `recall ${share(c.tp, all.ups)}, precision ${share(c.tp, c.tp + c.fp)}`),
    }
  }
  sources.pr.data = pr(all.cuts)
  sources.pr_now.data = pr([cut])
  const prevalence = all.ups / (all.ups + all.downs)
  sources.prevalence.data = {x: [0, 1], y: [prevalence, prevalence]}
  figures.pr.title.text = all.ups ? "Precision-recall curve" : "No PR curve: no positive case"
}

// Everything ------------------------------------------------------------------------------------

function show(said) {
  const now = after(memo.tags)
  if (s.drag && s.drag.steps !== undefined) {
    now.steps[s.drag.i] = s.drag.steps
    now.labels[s.drag.i] = s.drag.label
  }
  const all = counted(now), given = counted(after([]))
  const at = Math.round((slider.value - s.origin) / s.grid)
  const threshold = minus(String(score_at(at)))
  const called = (some) => some.keys.filter((key) => key > at).length
  const cut_of = (some) => some.cuts.find((cut) => cut.k === called(some))
  const cut = cut_of(all), given_cut = cut_of(given)

  const standing = now.steps.map((steps, i) => `${steps ?? "*"}${now.labels[i] ? "+" : "-"}`).join(" ")
  const exactly = s.known[standing], at_first = s.known[s.given_standing]
  const found = {...whole_measures(all), ...cut_measures(cut, all)}
  const before = {...whole_measures(given), ...cut_measures(given_cut, given)}
  const text_of = (known, k, floats, key) => known ? known.whole[key] ?? known.cuts[k][key] : about(floats[key])
  const rows = [...s.whole, ...s.counted].map((key) => [
    key, minus(text_of(exactly, cut.k, found, key)), minus(text_of(at_first, given_cut.k, before, key)),
    arrow(found[key], before[key]),
  ])
  const counts = exactly ? exactly.cuts[cut.k].counts
    : [cut.tp, cut.fp, all.ups - cut.tp, all.downs - cut.fp].map((c) => (s.weighted ? "≈ " : "") + rounded(c))

  draw_strip(all)
  draw_curves(all, cut)
  draw_ranking(all, cut.k)
  draw_matrix(counts)
  draw_measures(rows, exactly, threshold)
  line.location = score_at(at)
  for (const side of sides) side.x = score_at(at)

  const i = Number(chooser.value)
  const auc = rows[0][1].startsWith("undefined") ? "is " + rows[0][1] : rows[0][1]
  summary.text = `${said ? said + " " : ""}Case ${s.names[i]} is really ${now.labels[i] ? "positive" : "negative"}, ` +
    `score ${score_text(all, i)}, place ${all.order.indexOf(i) + 1} of ${s.n}. AUC ${auc}. ` +
    `Called positive with score > ${threshold}: ${cut.k} of ${s.n} ` +
    `(${["TP", "FP", "FN", "TN"].map((name, c) => `${name}&nbsp;=&nbsp;${counts[c]}`).join(", ")}).`
}

// Keys move the chosen case while a button or the strip has the focus.
function listen() {
  const pressed = (event) => {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key]
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    const answer = nudge(by * (event.shiftKey ? 5 : 1))
    if (typeof answer === "string") show(answer)
  }
  for (const model of [strip, ...Object.values(buttons)]) {
    const view = Bokeh.index.find_one(model)
    if (!view || s.heard.includes(model.id)) continue
    s.heard.push(model.id)
    view.el.addEventListener("keydown", pressed)
    // On a touch screen the strip is dragged sideways, and the page up and down.
    if (model === strip) view.canvas?.touch_action?.replace(".bk-events { touch-action: pan-y pinch-zoom; }")
  }
}

if (worked_out.tags.length) s.known[worked_out.tags[0].standing] = worked_out.tags[0]
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
