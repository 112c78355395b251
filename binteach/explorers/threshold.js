// The threshold explorer: one cut, and everything that follows from it.
const s = state
const place = place_of(slider, s)
if (place === null) return
const k = s.k[place]

const key = measure.value
const chosen = s.measures[key]
keep_height(derivation, key)

// Points and lines
const tpr = s.tpr[place], fpr = s.fpr[place], rates = s.roc_text[place]
now.roc.data = point(fpr, tpr, rates)
now.pr.data = point(tpr, s.precision[place], s.pr_text[place])
if (tpr !== null && fpr !== null) {
  now.rates.data = {x: [k, k], y: [tpr, fpr], text: [rates, rates]}
  now.gap.data = {x0: [k], y0: [fpr], x1: [k], y1: [tpr]}
}
now.gain.data = point(k, s.tp[place], s.gain_text[place])
now.lift.data = point(k, s.lift[place], s.lift_text[place])
now.measure.data = point(k, chosen.y[place], chosen.text[place])
line.location = s.threshold[place]

// The measure at all cuts
if (s.drawn !== key) {
  s.drawn = key
  const defined = chosen.y.map((y, i) => i).filter((i) => chosen.y[i] !== null)
  over.data = {
    x: defined.map((i) => s.k[i]), y: defined.map((i) => chosen.y[i]),
    text: defined.map((i) => chosen.text[i]),
  }
  best.data = {x: chosen.best.map((i) => s.k[i]), y: chosen.best.map((i) => chosen.y[i])}
  over_figure.title.text = chosen.title
  over_figure.left[0].axis_label = chosen.short
  over_figure.y_range.start = chosen.low
  over_figure.y_range.end = chosen.high
}

// Shaded areas
for (const [name, patch] of Object.entries(shades)) patch.visible = shade.value === name

// The ranking, with the line between two rows; of many cases only what stands next to it
const rows = []
const cut_row = `<tr class="cut"><td colspan="${s.columns}">called + ↑ &nbsp; ↓ called −</td></tr>`
const dots = `<tr><td colspan="${s.columns}" style="text-align:center">⋮</td></tr>`
const first = Math.max(0, k - s.near), last = Math.min(s.n, k + s.near)
if (first > 0) rows.push(dots)
for (let i = 0; i < s.rows.length; i++) {
  if (s.row_k[i] < first || s.row_k[i] >= last) continue
  if (s.row_k[i] === k) rows.push(cut_row)
  rows.push(s.rows[i].replace("<tr", s.row_k[i] < k ? "<tr class=up" : "<tr class=down"))
}
if (k === s.n) rows.push(cut_row)
if (last < s.n) rows.push(dots)
write(table, s.table_head + rows.join("") + "</tbody></table>")

// The confusion matrix
const counts = ["TP", "FP", "FN", "TN"].map((name, i) => [s.count_text[place][i], name])
write(matrix, matrix_text("Confusion matrix", counts, orientation.value === "sklearn"))

// The derivation
if (derivation.tags.includes("live")) await_answer(derivation, `${key} ${k}`, s.no_answer)
else write(derivation, derivation_of(s, key, place) ?? s.no_derivation)

write(summary, s.sentence[place] + " " + (chosen.y[place] === null
  ? `${chosen.title} is undefined here.` : `${chosen.title}: ${chosen.said[place]}.`) +
  (s.areas[shade.value] ? ` ${s.areas[shade.value]}` : "") + (s.remark ? ` ${s.remark}` : ""))
name_handles([slider])
