const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration in Go's notation, such as 90s or 1h30m; undefined for anything else, and for nothing. */
export function tryParseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,15}(?:\.\d{1,15})?)(ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (units[unit] ?? 0), 0);
  return parts.length > 0 && parts.map(([part]) => part).join('') === text && total > 0 ? total : undefined;
}

/** A span of milliseconds for people, in the largest unit that gives two or more: 45 s, 3 min, 5 h. */
export function roughDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}
