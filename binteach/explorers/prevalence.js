// The prevalence explorer: another class ratio, the same model.
const s = state
const at = place_of(cut, s)
if (at === null) return
const k = s.k[at]
const place = prevalence.value, own = s.own
const key = measure.value
keep_height(derivation, key)
const chosen = s.measures[key]

// Every measure from the counts, exactly.
const formulas = {
  precision: ({tp, fp}) => exact(tp, tp + fp),
  negative_predictive_value: ({fn, tn}) => exact(tn, tn + fn),
  false_discovery_rate: ({tp, fp}) => exact(fp, tp + fp),
  accuracy: ({tp, fp, fn, tn}) => exact(tp + tn, tp + fp + fn + tn),
  f_measure: ({tp, fp, fn}) => exact(2n * tp, 2n * tp + fp + fn),
  jaccard: ({tp, fp, fn}) => exact(tp, tp + fp + fn),
  lift: ({tp, fp, fn, tn}) => exact(tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn)),
  predicted_positive_rate: ({tp, fp, fn, tn}) => exact(tp + fp, tp + fp + fn + tn),
  cohens_kappa: ({tp, fp, fn, tn}) =>
    exact(2n * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)),
  matthews_correlation: ({tp, fp, fn, tn}) => {
    const above = tp * tn - fp * fn
    return signed_root(above < 0n ? -above * above : above * above, (tp + fp) * (tp + fn) * (fp + tn) * (fn + tn))
  },
  sensitivity: ({tp, fn}) => exact(tp, tp + fn),
  specificity: ({fp, tn}) => exact(tn, fp + tn),
  false_positive_rate: ({fp, tn}) => exact(fp, fp + tn),
  youden_index: ({tp, fp, fn, tn}) => exact(tp * tn - fp * fn, (tp + fn) * (fp + tn)),
  balanced_accuracy: ({tp, fp, fn, tn}) => exact(tp * (fp + tn) + tn * (tp + fn), 2n * (tp + fn) * (fp + tn)),
  positive_likelihood_ratio: ({tp, fp, fn, tn}) => exact(tp * (fp + tn), fp * (tp + fn)),
  negative_likelihood_ratio: ({tp, fp, fn, tn}) => exact(fn * (fp + tn), tn * (tp + fn)),
  diagnostic_odds_ratio: ({tp, fp, fn, tn}) => exact(tp * tn, fp * fn),
}
const number_at = (name, row, i) => formulas[name](counts_at(row, i))
// What is written of a measure, and its digits; what is of the whole ranking was worked out beforehand.
const written_at = (name, row, i) => {
  const texts = s.measures[name].text
  if (!texts) return in_columns(number_at(name, row, i))
  const text = texts[texts.length === 1 ? 0 : row]
  return text.startsWith("≈") ? [text, ""] : in_columns(read(text))
}

const p = s.prevalence[place]
const counts = counts_at(place, at)
const t = s.tpr[at], f = double(formulas.false_positive_rate(counts))

// ROC and precision-recall
const pr_text = (i, precision) => `recall ${s.tpr_text[i]}, precision ${with_digits(precision)}`
now.roc.data = point(f, t, s.rates_text[at])
const precision = formulas.precision(counts)
now.pr.data = point(t, double(precision), pr_text(at, precision))
const called = s.k.map((_, i) => i).filter((i) => s.k[i] > 0)
const precisions = called.map((i) => formulas.precision(counts_at(place, i)))
now.curve.data = {
  x: called.map((i) => s.tpr[i]), y: precisions.map(double), text: precisions.map((each, i) => pr_text(called[i], each)),
}
now.guess.data = {x: [0, 1], y: [p, p], text: ["", ""]}

// The measure at this cut over all prevalences
const over = s.prevalence.map((_, row) => number_at(key, row, at))
const over_text = (row) => `prevalence ${s.prevalence_text[row]}: ${with_digits(over[row])}`
const heights = over.map(double)
const defined = heights.map((_, row) => row).filter((row) => heights[row] !== null)
now.measure.data = {
  x: defined.map((row) => s.prevalence[row]), y: defined.map((row) => heights[row]), text: defined.map(over_text),
}
now.over.data = point(p, heights[place], over_text(place))
const low = Math.min(0, ...defined.map((row) => heights[row]))
const high = Math.max(1, ...defined.map((row) => heights[row]))
over_figure.y_range.start = low - 0.03 * (high - low)
over_figure.y_range.end = high + 0.05 * (high - low)
over_figure.title.text = `${chosen.title.length > 24 ? chosen.short : chosen.title}: ${chosen.moves ? "moves" : "stands still"}`
over_figure.left[0].axis_label = chosen.short

// The unit square
const names = ["TP", "FP", "FN", "TN"]
const all = counts.tp + counts.fp + counts.fn + counts.tn
const cells = [counts.tp, counts.fp, counts.fn, counts.tn].map((part) => exact(part, all))
const left = [0, p, 0, p], right = [p, 1, p, 1]
const top = [0, 0, t, f], bottom = [t, f, 1, 1]
now.mosaic.data = {left, right, bottom, top, name: names, text: cells.map(with_digits)}
// A label where there is room for one.
const seen = [0, 1, 2, 3].filter((i) => right[i] - left[i] >= 0.08 && bottom[i] - top[i] >= 0.08)
now.labels.data = {
  x: seen.map((i) => (left[i] + right[i]) / 2), y: seen.map((i) => (bottom[i] + top[i]) / 2),
  text: seen.map((i) => right[i] - left[i] < 0.3 ? names[i] : `${names[i]} ${percent(cells[i])}`),
}

// The confusion matrix in shares
const sum = (one, other) => percent(exact(one + other, all))
write(matrix, matrix_text("Confusion matrix in shares",
  cells.map((part, i) => [fraction_text(part), `${names[i]} ${percent(part)}`]), false,
  `<tfoot><tr><th scope="row">sum</th><td>π: ${sum(counts.tp, counts.fn)}</td>` +
  `<td>1 − π: ${sum(counts.fp, counts.tn)}</td></tr></tfoot>`))

// What moves and what stands still
const row_of = (name) => {
  const m = s.measures[name]
  const [before] = written_at(name, own, at), [after, in_digits] = written_at(name, place, at)
  const moved = m.moves && before !== after
  const word = m.moves ? "moves" : "still"
  return `<tr class="${m.moves ? "moving" : "still"}${name === key ? " chosen" : ""}">` +
    `<th scope="row">${m.title}</th><td class="word${moved ? " moved" : ""}">${word}</td>` +
    `<td>${before}</td><td>${after} <small>${in_digits}</small></td></tr>`
}
write(table, `<h3>What moves with the class ratio?</h3><table><thead><tr>` +
  `<th scope="col" class="word">measure</th><th scope="col" class="word">with π</th>` +
  `<th scope="col">data: ${s.percent[own]}</th><th scope="col">now: ${s.percent[place]}</th></tr></thead><tbody>` +
  Object.keys(s.measures).map(row_of).join("") + `</tbody></table>`)

// The derivation
const packed = s.derivations[key]
const working = packed ? derived(packed, packed.grid.length === 1 ? 0 : place, at) : null
const note = is_defined(over[place]) ? `Here it is <b>${with_digits(over[place])}</b>.` : `At this cut it is undefined.`
write(derivation, s.style + (working ?? s.definitions[key] + `<p>${note}</p>` + (packed
  ? `<p>The numbers are put in at 1%, 10%, 20% … 90% and at the data's own prevalence: move the slider there.</p>` : "")))

// What moved, in one sentence
const told = (name) => {
  const m = s.measures[name]
  const before = number_at(name, own, at), after = number_at(name, place, at)
  if (!is_defined(after)) return `${m.name} is undefined at this cut`
  if (!m.moves) return `${m.name} stands still at ${fraction_text(after)}`
  if (before.n === after.n && before.d === after.d) return `${m.name} stays at ${fraction_text(after)}`
  return `${m.name} ${is_less(after, before) ? "falls" : "rises"} from ${fraction_text(before)} to ${fraction_text(after)}`
}
const still = `TPR = ${s.tpr_text[at]} and FPR = ${s.fpr_text[at]}`
write(summary, place === own
  ? `With ${k === 1 ? "1 case" : `${k} cases`} called positive and the data's own prevalence of ${s.prevalence_text[own]}, ` +
    `${chosen.name} is ${fraction_text(over[own])}; when the prevalence changes, ${still} will stand still.`
  : `When the prevalence goes from ${s.prevalence_text[own]} to ${s.prevalence_text[place]}, ${told(key)}` +
    (chosen.moves ? "" : `, ${told("precision")}`) + `, while ${still} stand still.`)
name_handles([cut])
speak(prevalence, s.prevalence_text[place])
