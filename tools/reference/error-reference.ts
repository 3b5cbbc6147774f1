/** The page docs/reference/errors.md, made from the table of errors. */
import type { ErrorRow } from '../../runtime/base/errors.ts';

/** The text of docs/reference/errors.md. */
export function errorReference(table: Readonly<Record<string, ErrorRow>>): string {
  const rows = Object.entries(table).map(
    ([code, { meaning, retryable }]) => `| \`${code}\` | ${retryable ? 'yes' : 'no'} | ${meaning} |`,
  );
  return `# Errors

Every expected error of Azimuth has one of these codes. "Retried" is the default of the code. One occurrence
of an error can differ. The programs always observe a \`Retry-After\` of the server.

| code | retried | meaning |
|---|---|---|
${rows.join('\n')}
`;
}
