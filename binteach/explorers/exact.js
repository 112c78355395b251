// Exact numbers: {n, d} is n/d in lowest terms, of whole numbers of any length; a d of 0 is an undefined value.
// A `rooted` one is the square root of |n|/d with the sign of n. They are written as Python writes them.

const PLACES = 4
const HUGE = 2n ** 1000n  // what is larger may be too long for a double
const POWERS = []
function ten_to(places) {
  return POWERS[places] ??= 10n ** BigInt(places)
}

function exact(n, d = 1n) {
  let a = n < 0n ? -n : n, b = d
  while (b) [a, b] = [b, a % b]
  return d ? {n: n / a, d: d / a} : {n: 0n, d: 0n}
}

// 3/5 or 7, as Python writes a fraction.
function read(text) {
  const [n, d] = text.split("/").map(BigInt)
  return {n, d: d ?? 1n}
}

function is_defined(number) {
  return number.d !== 0n
}

// The whole number below the square root of another one, by Newton's method.
function whole_root(number) {
  if (number < 2n) return number
  let root = 1n << BigInt(Math.ceil(number.toString(2).length / 2))
  for (;;) {
    const next = (root + number / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

// The square root of |n|/d with the sign of n: a fraction where it is one.
function signed_root(n, d) {
  const square = exact(n, d)
  const size = square.n < 0n ? -square.n : square.n
  const top = whole_root(size), bottom = whole_root(square.d)
  if (top * top !== size || bottom * bottom !== square.d) return {...square, rooted: true}
  return {n: square.n < 0n ? -top : top, d: bottom}
}

// Decimal digits, correctly rounded, halves away from zero.
function digits({n, d, rooted}, places = PLACES) {
  const size = n < 0n ? -n : n
  const doubled = rooted ? whole_root(4n * size * ten_to(2 * places) / d) : 2n * size * ten_to(places) / d
  const whole = (doubled + 1n) >> 1n
  const text = whole.toString().padStart(places + 1, "0")
  const point = text.length - places
  return (n < 0n && whole ? "-" : "") + text.slice(0, point) + (places ? "." + text.slice(point) : "")
}

// Whether so many decimal places write it exactly.
function is_decimal({d, rooted}, places = PLACES) {
  return !rooted && ten_to(places) % d === 0n
}

// All digits of what is a decimal, and no zeros after them.
function decimal(number) {
  let places = 0
  while (!is_decimal(number, places)) places++
  return digits(number, places)
}

// 3/4, or rounded digits of what is irrational or long.
function fraction_text(number) {
  if (!is_defined(number)) return "undefined"
  if (number.rooted || number.d >= 1000000n) return `≈ ${digits(number)}`
  return number.d === 1n ? `${number.n}` : `${number.n}/${number.d}`
}

// The digits of a fraction: = 0.75, ≈ 0.4032; nothing for a whole number or what is in digits already.
function beside(number) {
  if (number.rooted || number.d < 2n || number.d >= 1000000n) return ""
  return is_decimal(number) ? `= ${decimal(number)}` : `≈ ${digits(number)}`
}

function with_digits(number) {
  return `${fraction_text(number)} ${beside(number)}`.trim()
}

// A fraction that fits into a narrow column and its digits, otherwise these alone.
function in_columns(number) {
  const text = fraction_text(number), in_digits = beside(number)
  return in_digits && text.length > 9 ? [in_digits.replace("= ", ""), ""] : [text, in_digits]
}

// 12.25%, or ≈ 33.3%.
function percent({n, d}) {
  const hundred = exact(100n * n, d)
  return is_decimal(hundred, 3) ? `${decimal(hundred)}%` : `≈ ${digits(hundred, 1)}%`
}

// For drawing; null where it is undefined. Quotients of long numbers are taken before they are made doubles.
function double({n, d, rooted}) {
  if (d === 0n) return null
  const long = n > HUGE || n < -HUGE || d > HUGE
  const quotient = long ? Number(n * ten_to(20) / d) / 1e20 : Number(n) / Number(d)
  return rooted ? Math.sign(quotient) * Math.sqrt(Math.abs(quotient)) : quotient
}

function is_less(one, other) {
  return one.n * other.d < other.n * one.d
}
