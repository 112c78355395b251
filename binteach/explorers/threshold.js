// The threshold explorer: one cut, and everything that follows from it.
const s = state
const place = nearest(s.k, slider.value, s.last)
const k = s.k[place]
s.last = k
if (slider.value !== k) {
  slider.value = k
  return
}

const tp = s.tp[place], fp = s.fp[place], fn = s.fn[place], tn = s.tn[place]
const key = measure.value
const chosen = s.measures[key]

// Points and lines
now.roc.data = {x: [s.fpr[place]], y: [s.tpr[place]], text: [s.roc_text[place]]}
now.pr.data = s.precision[place] === null ? {x: [], y: [], text: []}
  : {x: [s.tpr[place]], y: [s.precision[place]], text: [s.pr_text[place]]}
now.rates.data = {x: [k, k], y: [s.tpr[place], s.fpr[place]], text: [s.roc_text[place], s.roc_text[place]]}
now.gap.data = {x0: [k], y0: [s.fpr[place]], x1: [k], y1: [s.tpr[place]]}
now.gain.data = {x: [k], y: [tp], text: [s.gain_text[place]]}
now.lift.data = s.lift[place] === null ? {x: [], y: [], text: []}
  : {x: [k], y: [s.lift[place]], text: [s.lift_text[place]]}
line.location = s.threshold[place]

// The measure at all cuts
const defined = chosen.y.map((y, i) => i).filter((i) => chosen.y[i] !== null)
over.data = {
  x: defined.map((i) => s.k[i]), y: defined.map((i) => chosen.y[i]),
  text: defined.map((i) => chosen.text[i]),
}
best.data = {x: chosen.best.map((i) => s.k[i]), y: chosen.best.map((i) => chosen.y[i])}
now.measure.data = chosen.y[place] === null ? {x: [], y: [], text: []}
  : {x: [k], y: [chosen.y[place]], text: [chosen.text[place]]}
if (over_figure.title.text !== chosen.title) {
  over_figure.title.text = chosen.title
  over_figure.left[0].axis_label = chosen.short
  over_figure.y_range.start = chosen.low
  over_figure.y_range.end = chosen.high
}

// Shaded areas
for (const [name, patch] of Object.entries(shades)) patch.visible = shade.value === name

// The ranking, with the line between two rows; of many cases only what stands next to it
const rows = []
const dots = `<tr><td colspan="4" style="text-align:center">⋮</td></tr>`
const first = Math.max(0, k - s.near), last = Math.min(s.n, k + s.near)
if (first > 0) rows.push(dots)
for (let i = 0; i < s.rows.length; i++) {
  if (s.row_k[i] < first || s.row_k[i] >= last) continue
  if (s.row_k[i] === k) rows.push(s.cut_row)
  rows.push(s.rows[i].replace("<tr", s.row_k[i] < k ? "<tr class=up" : "<tr class=down"))
}
if (k === s.n) rows.push(s.cut_row)
if (last < s.n) rows.push(dots)
table.text = s.table_head + rows.join("") + "</tbody></table>"

// The confusion matrix
const cell = (name, count, right) =>
  `<td class="${right ? "right" : "wrong"}"><b>${count}</b><br><span>${name}</span></td>`
const rows_of = (first, second, heads) =>
  `<tr><th scope="row">${heads[0]}</th>${first}</tr><tr><th scope="row">${heads[1]}</th>${second}</tr>`
const t = s.count_text[place]
matrix.text = `<h3>Confusion matrix</h3><table><thead>` + (orientation.active === 0
  ? `<tr><td></td><th scope="col">really +</th><th scope="col">really −</th></tr></thead><tbody>` +
    rows_of(cell("TP", t[0], true) + cell("FP", t[1], false),
            cell("FN", t[2], false) + cell("TN", t[3], true), ["called +", "called −"])
  : `<tr><td></td><th scope="col">called −</th><th scope="col">called +</th></tr></thead><tbody>` +
    rows_of(cell("TN", t[3], true) + cell("FP", t[1], false),
            cell("FN", t[2], false) + cell("TP", t[0], true), ["really −", "really +"])
) + `</tbody></table>`

// The derivation
if (s.derivations[key]) {
  const all = s.derivations[key]
  const [form, use] = all.length === 1 ? all[0] : all[place]
  derivation.text = s.style + filled(s.forms[form], s.slots[form][use])
} else if (!derivation.tags.includes("live")) {
  derivation.text = s.no_derivation
}

summary.text = s.sentence[place] + " " + (chosen.y[place] === null
  ? `${chosen.title} is undefined here.` : `${chosen.title}: ${chosen.text[place]}.`)
name_handles([slider])
