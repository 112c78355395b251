// The prevalence explorer: another class ratio, the same model.
const s = state
const at = nearest(s.k, cut.value, s.last, is_held(cut))
const k = s.k[at]
s.last = k
if (cut.value !== k) {
  cut.value = k
  return
}
const place = prevalence.value, own = s.own
const key = measure.value
const chosen = s.measures[key]
const t = s.tpr[at], f = s.fpr[at]

// Every measure from the prevalence p and the two rates; null where it is undefined.
const ratio = (a, b) => b === 0 ? null : a / b
const formulas = {
  precision: (p, t, f) => ratio(p * t, p * t + (1 - p) * f),
  negative_predictive_value: (p, t, f) => ratio((1 - p) * (1 - f), (1 - p) * (1 - f) + p * (1 - t)),
  false_discovery_rate: (p, t, f) => ratio((1 - p) * f, p * t + (1 - p) * f),
  accuracy: (p, t, f) => p * t + (1 - p) * (1 - f),
  f_measure: (p, t, f) => 2 * p * t / (p * t + (1 - p) * f + p),
  jaccard: (p, t, f) => p * t / (p + (1 - p) * f),
  lift: (p, t, f) => ratio(t, p * t + (1 - p) * f),
  predicted_positive_rate: (p, t, f) => p * t + (1 - p) * f,
  cohens_kappa: (p, t, f) => {
    const q = p * t + (1 - p) * f
    return 2 * p * (1 - p) * (t - f) / (p * (1 - q) + (1 - p) * q)
  },
  matthews_correlation: (p, t, f) => {
    const called = p * t + (1 - p) * f, not = p * (1 - t) + (1 - p) * (1 - f)
    return ratio(Math.sqrt(p * (1 - p)) * (t - f), Math.sqrt(called * not))
  },
  sensitivity: (p, t, f) => t,
  specificity: (p, t, f) => 1 - f,
  false_positive_rate: (p, t, f) => f,
  youden_index: (p, t, f) => t - f,
  balanced_accuracy: (p, t, f) => (t + 1 - f) / 2,
  positive_likelihood_ratio: (p, t, f) => ratio(t, f),
  negative_likelihood_ratio: (p, t, f) => ratio(1 - t, 1 - f),
  diagnostic_odds_ratio: (p, t, f) => ratio(t * (1 - f), (1 - t) * f),
}
const average_precision = (p) => {
  let sum = 0
  for (let i = 1; i < s.k.length; i++) {
    sum += formulas.precision(p, s.tpr[i], s.fpr[i]) * (s.tpr[i] - s.tpr[i - 1])
  }
  return sum
}
const number_at = (name, row, i) => {
  if (name === "average_precision") return average_precision(s.prevalence[row])
  if (name === "auc") return null  // its text is always there
  return formulas[name](s.prevalence[row], s.tpr[i], s.fpr[i])
}
// The exact text where there is one, otherwise rounded digits.
const text_at = (name, row, i) => {
  const texts = s.measures[name].text
  if (texts !== null) {
    const line = apart(texts[texts.length === 1 ? 0 : row])
    return line[line.length === 1 ? 0 : i]
  }
  const number = number_at(name, row, i)
  return number === null ? "undefined" : rounded(number)
}

const p = s.prevalence[place]

// ROC and precision-recall
const rates_text = `TPR ${s.tpr_text[at]}, FPR ${s.fpr_text[at]}`
now.roc.data = point(f, t, rates_text)
const precision = formulas.precision(p, t, f)
now.pr.data = point(t, precision, `recall ${s.tpr_text[at]}, precision ${text_at("precision", place, at)}`)
const called = s.k.map((_, i) => i).filter((i) => s.tpr[i] > 0 || s.fpr[i] > 0)
now.curve.data = {
  x: called.map((i) => s.tpr[i]),
  y: called.map((i) => formulas.precision(p, s.tpr[i], s.fpr[i])),
  text: called.map((i) => `recall ${s.tpr_text[i]}, precision ${text_at("precision", place, i)}`),
}
now.guess.data = {x: [0, 1], y: [p, p], text: ["", ""]}

// The measure at this cut over all prevalences
const heights = s.prevalence.map((_, row) => number_at(key, row, at))
const defined = heights.map((_, row) => row).filter((row) => heights[row] !== null)
now.measure.data = {
  x: defined.map((row) => s.prevalence[row]),
  y: defined.map((row) => heights[row]),
  text: defined.map((row) => `prevalence ${s.prevalence_text[row]}: ${text_at(key, row, at)}`),
}
now.over.data = point(p, heights[place], `prevalence ${s.prevalence_text[place]}: ${text_at(key, place, at)}`)
const low = Math.min(0, ...defined.map((row) => heights[row]))
const high = Math.max(1, ...defined.map((row) => heights[row]))
over_figure.y_range.start = low - 0.03 * (high - low)
over_figure.y_range.end = high + 0.05 * (high - low)
over_figure.title.text = `${chosen.title.length > 24 ? chosen.short : chosen.title}: ${chosen.moves ? "moves" : "stands still"}`
over_figure.left[0].axis_label = chosen.short
now.line.data = {x: [s.prevalence[own], s.prevalence[own]], y: [low, high], text: ["", ""]}

// The unit square
const cells = [p * t, (1 - p) * f, p * (1 - t), (1 - p) * (1 - f)]
const names = ["TP", "FP", "FN", "TN"]
const percent = (share) => `${(100 * share).toFixed(1)}%`
const left = [0, p, 0, p], right = [p, 1, p, 1]
const top = [0, 0, t, f], bottom = [t, f, 1, 1]
const share_text = (i) => s.shares === null ? rounded(cells[i]) : apart(s.shares[place])[4 * at + i]
now.mosaic.data = {left, right, bottom, top, name: names, text: names.map((_, i) => share_text(i))}
// A label where there is room for one.
const seen = [0, 1, 2, 3].filter((i) => right[i] - left[i] >= 0.08 && bottom[i] - top[i] >= 0.08)
now.labels.data = {
  x: seen.map((i) => (left[i] + right[i]) / 2), y: seen.map((i) => (bottom[i] + top[i]) / 2),
  text: seen.map((i) => right[i] - left[i] < 0.3 ? names[i] : `${names[i]} ${percent(cells[i])}`),
}

// The confusion matrix in shares
const cell = (i, right) => `<td class="${right ? "right" : "wrong"}"><b>${share_text(i)}</b><br>` +
  `<span>${names[i]}, ${percent(cells[i])}</span></td>`
write(matrix, `<h3>Confusion matrix in shares</h3><table><thead><tr><td></td>` +
  `<th scope="col">really +</th><th scope="col">really −</th></tr></thead><tbody>` +
  `<tr><th scope="row">called +</th>${cell(0, true)}${cell(1, false)}</tr>` +
  `<tr><th scope="row">called −</th>${cell(2, false)}${cell(3, true)}</tr></tbody>` +
  `<tfoot><tr><th scope="row">sum</th><td>π = ${percent(p)}</td><td>1 − π = ${percent(1 - p)}</td></tr></tfoot></table>`)

// What moves and what stands still
const row_of = (name) => {
  const m = s.measures[name]
  const before = text_at(name, own, at), after = text_at(name, place, at)
  const moved = m.moves && before !== after
  const word = !m.moves ? "stands still" : after === "undefined" ? "undefined here" : moved || place === own ? "moves" : "moves, but not here"
  const number = number_at(name, place, at)
  const digits = number === null || after.startsWith("≈") || !after.includes("/") ? "" : number.toFixed(3)
  return `<tr class="${m.moves ? "moving" : "still"}${name === key ? " chosen" : ""}">` +
    `<th scope="row">${m.title}</th><td class="word${moved ? " moved" : ""}">${word}</td>` +
    `<td>${before}</td><td>${after}</td><td class="digits">${digits}</td></tr>`
}
write(table, `<h3>What moves with the class ratio?</h3><table><thead><tr>` +
  `<th scope="col" class="word">measure</th><th scope="col" class="word">when π changes</th>` +
  `<th scope="col">data: ${s.percent[own]}</th><th scope="col">now: ${s.percent[place]}</th>` +
  `<th scope="col" class="digits">≈</th></tr></thead><tbody>` +
  Object.keys(s.measures).map(row_of).join("") + `</tbody></table>`)

// The derivation
const packed = s.derivations[key]
const working = packed ? derived(packed, packed.grid.length === 1 ? 0 : place, at) : null
const value_now = text_at(key, place, at)
const note = value_now === "undefined" ? `At this cut it is undefined.` : `Here it is <b>${value_now}</b>.`
write(derivation, s.style + (working ?? s.definitions[key] + `<p>${note}</p>` + (packed
  ? `<p>The numbers are put in at 1%, 10%, 20% … 90% and at the data's own prevalence: move the slider there.</p>` : "")))

// What moved, in one sentence
const told = (name) => {
  const m = s.measures[name]
  const before = text_at(name, own, at), after = text_at(name, place, at)
  if (after === "undefined") return `${m.name} is undefined at this cut`
  if (!m.moves) return `${m.name} stands still at ${after}`
  if (before === after) return `${m.name} stays at ${after}`
  return `${m.name} ${number_at(name, place, at) < number_at(name, own, at) ? "falls" : "rises"} from ${before} to ${after}`
}
const still = `TPR = ${s.tpr_text[at]} and FPR = ${s.fpr_text[at]}`
write(summary, place === own
  ? `With ${k === 1 ? "1 case" : `${k} cases`} called positive and the data's own prevalence of ${s.prevalence_text[own]}, ` +
    `${chosen.name} is ${text_at(key, own, at)}; when the prevalence changes, ${still} will stand still.`
  : `When the prevalence goes from ${s.prevalence_text[own]} to ${s.prevalence_text[place]}, ${told(key)}` +
    (chosen.moves ? "" : `, ${told("precision")}`) + `, while ${still} stand still.`)
name_handles([cut])
speak(prevalence, s.prevalence_text[place])
