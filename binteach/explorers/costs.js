// The costs explorer: lines of equal cost come down on the hull of the ROC curve.
const s = state
const row = price.value, column = prevalence.value
keep_height(derivation, "")
// Prices are whole multiples of 1/unit; each cost is exact.
const [[cost_fp, cost_fn], unit] = [s.prices[row][0].map(BigInt), BigInt(s.prices[row][1])]
const cost_at = (i) => {
  const {tp, fp, fn, tn} = counts_at(column, i)
  return exact(cost_fp * fp + cost_fn * fn, unit * (tp + fp + fn + tn))
}
const [up, down] = whole.odds[column]
const slope_now = exact(down * cost_fp, up * cost_fn)
const a = double(exact(cost_fp * down, unit * (up + down)))  // cost of a false positive rate of 1
const b = double(exact(cost_fn * up, unit * (up + down)))    // cost of a true positive rate of 0
const best = s.resting[s.place[row][column]]
const least_cost = cost_at(best.at), least = double(least_cost)

// The line with cost c inside the unit square: from its left or lower end to its right or upper one.
const line_of = (c) => {
  // b (1 − TPR) + a FPR = c
  const tpr_at = (f) => 1 - (c - a * f) / b
  const fpr_at = (t) => (c - b * (1 - t)) / a
  const left = tpr_at(0) >= 0 ? [0, tpr_at(0)] : [fpr_at(0), 0]
  const right = tpr_at(1) <= 1 ? [1, tpr_at(1)] : [fpr_at(1), 1]
  return [left, right]
}
const [start, stop] = line_of(least)
now.line.data = {x: [start[0], stop[0]], y: [start[1], stop[1]], text: ["", ""]}
const most = a + b
// Round costs, as heights on a map: 1, 2 or 5 and zeros, so far apart that there are two to eight.
const room = (most - least) / 3
const power = Math.floor(Math.log10(room))
const times = [1, 2, 5].findLast((each) => each * 10 ** power <= room)
const step = power < 0 ? exact(BigInt(times), ten_to(-power)) : exact(BigInt(times) * ten_to(power))
const levels = []
for (let i = BigInt(Math.floor(least / double(step))); double(exact(i * step.n, step.d)) < most; i++) {
  const level = exact(i * step.n, step.d)
  if (is_less(least_cost, level)) levels.push(level)
}
const lines = levels.map((level) => line_of(double(level)))
now.lines.data = {xs: lines.map((l) => [l[0][0], l[1][0]]), ys: lines.map((l) => [l[0][1], l[1][1]])}
// Each level is written on its line, near the middle; next to the best line there is no room.
const labelled = levels.map((_, i) => i).filter((i) => double(levels[i]) - least > 0.12 * (most - least))
now.labels.data = {
  x: labelled.map((i) => (lines[i][0][0] + lines[i][1][0]) / 2), y: labelled.map((i) => (lines[i][0][1] + lines[i][1][1]) / 2),
  text: labelled.map((i) => `cost ${decimal(levels[i])}`),
}
now.best.data = {x: best.fpr, y: best.tpr, text: best.text}

// The cost at every cut
const costs = s.k.map((_, i) => cost_at(i))
const heights = costs.map(double)
now.cost.data = {
  x: s.k, y: heights,
  text: s.k.map((k, i) => `${k} called positive (${s.rates_text[i]}): cost ${with_digits(costs[i])}`),
}
now.cheapest.data = {
  x: best.k, y: best.k.map(() => least), text: best.text.map((text) => `${text}: cost ${with_digits(least_cost)}`),
}
// Room for the star of a best cut that costs next to nothing.
const highest = Math.max(...heights)
cost_figure.y_range.start = -0.05 * highest
cost_figure.y_range.end = 1.06 * highest

// Slope, corners and derivation
const pi = s.prevalence_number[column], fp = s.fp_text[row], fn = s.fn_text[row]
write(slope, `<h3>The slope of the lines</h3>` +
  `<p>To move right by 1 costs c<sub>FP</sub> × (1 − π) in false alarms; to move up by 1 saves ` +
  `c<sub>FN</sub> × π in misses. Equal cost means moving up by</p>` +
  `<p style="font-size:18px">(1 − π) × c<sub>FP</sub> / (π × c<sub>FN</sub>) = ` +
  `(1 − ${pi}) × ${fp} / (${pi} × ${fn}) = <b>${with_digits(slope_now)}</b></p>` +
  `<p>for each step to the right. The further up and left a line lies, the cheaper it is; the best cut is where the last ` +
  `of them touches the hull.</p>`)
// Of many corners those next to the best ones
const first_best = s.corner_k.indexOf(best.k[0])
const near = s.corners.map((_, i) => i).filter((i) => s.corners.length <= 12 || Math.abs(i - first_best) <= 5)
const left_out = (count) => count ? `<tr><td colspan="5" class="more">⋮ ${count} more</td></tr>` : ""
const rows = near.map((i) => {
  const corner = s.corners[i], here = best.k.includes(s.corner_k[i])
  return `<tr class="${here ? "best" : ""}"><th scope="row">${here ? "▸ " : ""}${s.corner_k[i]}</th>${corner.cells}` +
    (corner.slopes === "" ? `<td colspan="2">never the best</td>`
      : `<td>${corner.slopes}</td><td>${apart(corner.prices)[column]}</td>`) + `</tr>`
})
write(table, `<h3>When is each corner of the hull the best?</h3>` +
  `<p>▸ the best now. c<sub>FP</sub>/c<sub>FN</sub> is for π = ${pi}.</p>` +
  `<table><thead><tr><th scope="col">called +</th><th scope="col">TPR</th><th scope="col">FPR</th>` +
  `<th scope="col">slope</th><th scope="col">c<sub>FP</sub>/c<sub>FN</sub></th></tr></thead><tbody>` +
  left_out(near[0]) + rows.join("") + left_out(s.corners.length - 1 - near.at(-1)) + `</tbody></table>`)
write(derivation, s.style + `<p>TP, FP, FN and TN are shares of all cases, at this prevalence.</p>` + (best.k.length > 1
  ? `<p>At each of the equally good cuts the cost is the same; here the one that calls the fewest cases positive.</p>` : "") +
  derived(s.derivation, row, column))

write(summary, `A false alarm costs ${fp} and a miss ${fn}; at prevalence ${s.prevalence_text[column]} the lines have slope ` +
  `${fraction_text(slope_now)}, and ${best.words}, at an expected cost of ${with_digits(least_cost)} for each case.`)
speak(price, `${fp} : ${fn}`)
speak(prevalence, s.prevalence_text[column])
