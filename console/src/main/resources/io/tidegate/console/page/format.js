/** Numbers, times and names as people read them. */

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const FINE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const SECONDS = new Set(['held.oldest', 'latency.p99', 'lease.left']);
const RATIOS = new Set(['failure.rate', 'slow.rate']);

/** A number as exactly as it was sent, to three decimals; a dash if there is none. */
export function number(value) {
  if (typeof value !== 'number') {
    return '–';
  }
  return Number.isInteger(value) ? WHOLE.format(value) : FINE.format(value);
}

/** An offset or a fence, digit by digit: it may have more digits than a JavaScript number can hold. */
export function exact(value) {
  return value === undefined || value === null ? '–' : String(value);
}

/** A number per second. */
export function perSecond(value) {
  if (value === 0) {
    return '0/s';
  }
  return `${value >= 9.95 ? WHOLE.format(value) : value.toFixed(1)}/s`;
}

/** A fraction as a percentage. */
export function percent(value) {
  return typeof value !== 'number' ? '–' : `${(value * 100).toFixed(1)} %`;
}

/** Nanoseconds, with three digits. */
export function nanos(value) {
  if (value >= 59.95e9) {
    return seconds(value / 1e9);
  }
  const [unit, size] = value >= 1e9 ? ['s', 1e9] : value >= 1e6 ? ['ms', 1e6] : value >= 1e3 ? ['µs', 1e3] : ['ns', 1];
  return `${Number((value / size).toPrecision(3))} ${unit}`;
}

/** Seconds: short times with fractions, long ones as minutes, hours and days. */
export function seconds(value) {
  if (value < 59.95) {
    return `${Number(value.toPrecision(3))} s`;
  }
  const whole = Math.round(value);
  const parts = [
    [Math.floor(whole / 86400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** The time of day, from milliseconds. */
export function clock(millis) {
  return CLOCK.format(millis);
}

/** Says that a part is not read, and since when, if that is known; empty for a part that is read. */
export function notRead({ unread, lastRead }) {
  if (unread === undefined) {
    return '';
  }
  return lastRead === undefined ? 'not read' : `not read since ${clock(lastRead)}`;
}

/** The present value of a series, in the unit of its measure. */
export function value(series) {
  if (series.type === 'state') {
    return series.value;
  }
  if (series.type === 'time') {
    return number(series.value[0]);
  }
  if (typeof series.value !== 'number') {
    return '–';
  }
  if (SECONDS.has(series.measure)) {
    return seconds(series.value);
  }
  if (RATIOS.has(series.measure)) {
    return percent(series.value);
  }
  if (series.measure === 'draining') {
    return series.value ? 'yes' : 'no';
  }
  return number(series.value);
}

/** Tags as one text. */
export function tags(pairs) {
  return Object.entries(pairs)
    .map(([key, tag]) => `${key}=${tag}`)
    .join(' ');
}
