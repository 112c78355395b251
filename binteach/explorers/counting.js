// Every number of cases that were moved, worked out in the page as exactly as Python does it: fractions of
// whole numbers of any length. Doubles are for drawing.

// Fractions -------------------------------------------------------------------------------------

function ratio(p, q = 1n) {
  let [a, b] = [p < 0n ? -p : p, q]
  while (b) [a, b] = [b, a % b]
  return a > 1n ? {p: p / a, q: q / a} : {p, q}
}

// "3/4" or "7"
function read_ratio(text) {
  const [p, q = "1"] = text.split("/")
  return {p: BigInt(p), q: BigInt(q)}
}

const ZERO = {p: 0n, q: 1n}, ONE = {p: 1n, q: 1n}
const plus = (a, b) => a.q === b.q ? ratio(a.p + b.p, a.q) : ratio(a.p * b.q + b.p * a.q, a.q * b.q)
const less = (a, b) => plus(a, {p: -b.p, q: b.q})
const times = (a, b) => ratio(a.p * b.p, a.q * b.q)
const over = (a, b) => b.p < 0n ? ratio(-a.p * b.q, -a.q * b.p) : ratio(a.p * b.q, a.q * b.p)
const is_less = (a, b) => a.p * b.q < b.p * a.q
const size = (a) => a.p < 0n ? {p: -a.p, q: a.q} : a
const double = (a) => Number(a.p * 10n ** 18n / a.q) / 1e18

// Texts -----------------------------------------------------------------------------------------

const minus = (text) => text.replaceAll("-", "−")

// A whole number of parts of 10^places, as digits
function decimal(whole, places) {
  const digits = String(whole < 0n ? -whole : whole).padStart(places + 1, "0")
  const end = digits.length - places
  return (whole < 0n ? "-" : "") + digits.slice(0, end) + (places ? "." + digits.slice(end) : "")
}

// Four places, halves away from zero
function rounded(a) {
  const whole = (20000n * size(a).p + a.q) / (2n * a.q)
  return decimal(a.p < 0n ? -whole : whole, 4)
}

// 0.75; a fraction where no short decimal is exact
function exactly(a) {
  for (let places = 0; places <= 20; places++) {
    const power = 10n ** BigInt(places)
    if (power % a.q === 0n) return decimal(a.p * (power / a.q), places)
  }
  return `${a.p}/${a.q}`
}

// 3/4 = 0.75, 2/3 ≈ 0.6667; of a long fraction the digits alone
function with_digits(a) {
  if (a.q === 1n) return String(a.p)
  if (a.q >= 10n ** 6n) return `≈ ${rounded(a)}`
  return `${a.p}/${a.q} ${10000n % a.q === 0n ? `= ${exactly(a)}` : `≈ ${rounded(a)}`}`
}

// Values: a text and a double to compare ------------------------------------------------------------

const value_of = (a) => ({text: with_digits(a), number: double(a)})
const undefined_as = (words) => ({text: `undefined: ${words}`, number: null})

// √a, or −√a: a fraction where it is one; else its digits, which are those of whole numbers, too
function root_of(a, is_negative) {
  const floor = (n) => {
    // Newton's method comes down to the root, from above.
    let x = n, next = (n + 1n) / 2n
    while (next < x) [x, next] = [next, (next + n / next) / 2n]
    return x
  }
  const sign = is_negative ? -1n : 1n
  const root = {p: sign * floor(a.p), q: floor(a.q)}
  if (root.p * root.p === a.p && root.q * root.q === a.q) return value_of(root)
  const halves = floor(4n * 10n ** 8n * a.p / a.q)
  const text = `≈ ${decimal(sign * ((halves + 1n) / 2n), 4)}`
  return {text, number: Number(sign) * Math.sqrt(double(a))}
}

// Counting --------------------------------------------------------------------------------------

// The cuts of cases in their order, and the hull over them
function counted(now, s) {
  const keys = now.steps.map((steps, i) => steps ?? s.keys[i])
  const x = now.steps.map((steps, i) => steps === null ? s.x[i] : s.step_x[steps - s.low])
  const order = keys.map((_, i) => i).sort((a, b) => keys[b] - keys[a])
  const cuts = [{k: 0, tp: ZERO, fp: ZERO}]
  order.forEach((i, place) => {
    // Tied scores cross the threshold together, so they form one cut.
    const tied = place > 0 && keys[order[place - 1]] === keys[i]
    const last = cuts[cuts.length - 1]
    const cut = tied ? last : {...last}
    const kind = now.labels[i] ? "tp" : "fp"
    cut.k = place + 1
    cut[kind] = plus(cut[kind], s.weights[i])
    if (!tied) cuts.push(cut)
  })
  const {tp: ups, fp: downs} = cuts[cuts.length - 1]
  const hull = []
  for (const cut of cuts) {
    const rise = (from, to) => less(to.tp, from.tp), run = (from, to) => less(to.fp, from.fp)
    const bends = (a, b) => is_less(times(run(a, b), rise(a, cut)), times(rise(a, b), run(a, cut)))
    while (hull.length > 1 && !bends(hull[hull.length - 2], hull[hull.length - 1])) hull.pop()
    hull.push(cut)
  }
  return {...now, keys, x, order, cuts, hull, ups, downs, all: plus(ups, downs)}
}

const sum = (parts) => parts.reduce(plus, ZERO)

function area(cuts, now) {
  const twice = cuts.slice(1).map((cut, i) => times(less(cut.fp, cuts[i].fp), plus(cut.tp, cuts[i].tp)))
  return over(sum(twice), times({p: 2n, q: 1n}, times(now.ups, now.downs)))
}

// What does not depend on the threshold
function whole_measures(now, s) {
  const none = !now.ups.p ? "there is no positive case" : !now.downs.p ? "there is no negative case" : ""
  const found = Object.fromEntries(["auc", "gini", "auch", "ks"].map((key) => [key, undefined_as(none)]))
  if (!none) {
    const auc = area(now.cuts, now)
    const gaps = now.cuts.map((cut) => size(less(over(cut.tp, now.ups), over(cut.fp, now.downs))))
    found.auc = value_of(auc)
    found.gini = value_of(less(plus(auc, auc), ONE))
    found.auch = value_of(area(now.hull, now))
    found.ks = value_of(gaps.reduce((a, b) => is_less(a, b) ? b : a))
  }
  found.average_precision = undefined_as("there is no positive case")
  if (now.ups.p) {
    const found_here = now.cuts.slice(1).map(({tp, fp}, i) => {
      const more = less(tp, now.cuts[i].tp)
      return more.p ? times(over(tp, plus(tp, fp)), more) : ZERO
    })
    found.average_precision = value_of(over(sum(found_here), now.ups))
  }
  return s.probabilities ? {...found, ...losses(now, s)} : found
}

// The score that the real class of a case was given
function truth_of(now, i, s) {
  const score = now.steps[i] === null ? s.scores[i] : ratio(BigInt(now.steps[i]), 100n)
  return now.labels[i] ? score : less(ONE, score)
}

function losses(now, s) {
  const truths = now.labels.map((_, i) => truth_of(now, i, s))
  const squares = truths.map((truth, i) => times(s.weights[i], times(less(ONE, truth), less(ONE, truth))))
  return {brier_score: value_of(over(sum(squares), now.all)), log_loss: log_loss(truths, now, s)}
}

const EPSILON = {p: 1n, q: 100000n} // stands for 0 in a logarithm
const MOST_FACTORS = 2000n

// The logarithm of a product: a fraction where that is a power of 2, which whole numbers tell
function log_loss(zeros, now, s) {
  const truths = zeros.map((truth) => truth.p ? truth : EPSILON)
  const common = s.weights.reduce((all, {q}) => all * ratio(q, all).p, 1n)
  const often = s.weights.map(({p, q}) => p * (common / q))
  if (often.reduce((a, b) => a + b) <= MOST_FACTORS) {
    const product = (part) => truths.reduce((all, truth, i) => all * truth[part] ** often[i], 1n)
    const split = (n) => {
      const twos = BigInt(n.toString(2).length - 1 - n.toString(2).lastIndexOf("1"))
      return {twos, odd: n >> twos}
    }
    const [top, bottom] = [split(product("p")), split(product("q"))]
    if (top.odd === bottom.odd) return value_of(over(ratio(bottom.twos - top.twos, common), now.all))
  }
  const log2 = (n) => {
    const beyond = Math.max(0, n.toString(2).length - 1000) // what a double could not hold
    return beyond + Math.log2(Number(n >> BigInt(beyond)))
  }
  const logs = truths.map(({p, q}, i) => double(s.weights[i]) * (log2(q) - log2(p)))
  // Doubles are right to more than ten places.
  const number = logs.reduce((a, b) => a + b, 0) / double(now.all)
  return {text: `≈ ${number.toFixed(4)}`, number}
}

// What depends on the threshold
function cut_measures({tp, fp}, now) {
  const {ups, downs, all} = now
  const fn = less(ups, tp), tn = less(downs, fp)
  const called = plus(tp, fp), left = plus(fn, tn), right = plus(tp, tn)
  const no_ups = ups.p ? "" : "there is no positive case", no_downs = downs.p ? "" : "there is no negative case"
  const one_class = no_ups || no_downs
  const none_called = called.p ? "" : "no case was called positive"
  const empty = no_ups || none_called || no_downs || (left.p ? "" : "no case was called negative")
  const unless = (words, make) => words ? undefined_as(words) : value_of(make())
  const rates = () => plus(over(tp, ups), over(tn, downs))
  const by_chance = over(plus(times(called, ups), times(left, downs)), times(all, all))
  const same = by_chance.p === by_chance.q ? "all cases are in one class and were called so" : ""
  const difference = less(times(tp, tn), times(fp, fn))
  const product = times(times(ups, downs), times(called, left))
  return {
    accuracy: value_of(over(right, all)),
    balanced_accuracy: unless(one_class, () => over(rates(), {p: 2n, q: 1n})),
    precision: unless(none_called, () => over(tp, called)),
    sensitivity: unless(no_ups, () => over(tp, ups)),
    specificity: unless(no_downs, () => over(tn, downs)),
    f_measure: unless(plus(called, ups).p ? "" : "no case is positive and none was called so",
      () => over(plus(tp, tp), plus(called, ups))),
    youden_index: unless(one_class, () => less(rates(), ONE)),
    cohens_kappa: unless(same, () => over(less(over(right, all), by_chance), less(ONE, by_chance))),
    matthews_correlation: empty ? undefined_as(empty)
      : root_of(over(times(difference, difference), product), difference.p < 0n),
  }
}
