/** The page docs/reference/errors.md, made from the table of errors. */
import type { ErrorRow } from '../runtime/base/errors.ts';

export function errorReference(table: Readonly<Record<string, ErrorRow>>): string {
  const rows = Object.entries(table).map(
    ([code, { meaning, retryable }]) => `| \`${code}\` | ${retryable ? 'yes' : 'no'} | ${meaning} |`,
  );
  return `# Errors

Every error that Azimuth raises on purpose has one of these codes. "Retried" is the default: an error can say
otherwise for one occurrence, and a \`Retry-After\` of the other side is always honoured.

| code | retried | meaning |
|---|---|---|
${rows.join('\n')}
`;
}
