import { isIP, isIPv4, isIPv6 } from 'node:net';

/** The string formats the API server checks; a format it does not know is accepted as it does. */
const checks: Record<string, (value: string) => boolean> = {
  'date-time': isDateTime,
  datetime: isDateTime,
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && realDate(value),
  duration: (value) =>
    /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h|d|w)(?:.*)$/.test(value) && isDuration(value),
  email: (value) => /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/.test(value),
  hostname: (value) =>
    value.length <= 255 &&
    /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*\.?$/u.test(
      value,
    ),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: (value) => /^(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}$/.test(value),
  uuid: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
  uuid3: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
  uuid4: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(value),
  uuid5: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(value),
  byte: (value) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
  uri: isRequestUri,
  bsonobjectid: (value) => /^[0-9a-f]{24}$/i.test(value),
  hexcolor: (value) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value),
  rgbcolor: (value) => {
    const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value);
    return parts?.slice(1).every((part) => Number(part) <= 255) ?? false;
  },
  ssn: (value) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(value),
};

/** Whether a string has the format; an unknown format holds. */
export function formatHolds(format: string, value: string): boolean {
  return !Object.hasOwn(checks, format) || (checks[format]?.(value) ?? true);
}

function isDateTime(value: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(value) &&
    realDate(value.slice(0, 10))
  );
}

function realDate(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

function isDuration(value: string): boolean {
  return /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h|d|w))+$/.test(value);
}

function isCidr(value: string): boolean {
  const [address = '', bits = '', ...more] = value.split('/');
  const version = isIP(address);
  return more.length === 0 && version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

function isRequestUri(value: string): boolean {
  return value.startsWith('/') || URL.canParse(value);
}
