/** JSON with as many members on a line as fit, so that files stay short and their diffs readable. */
export function compactJson(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value);
  if (value === null || typeof value !== 'object' || indent.length + flat.length <= 118) return flat;
  const deeper = `${indent} `;
  const rows = Array.isArray(value)
    ? value.map((item) => deeper + compactJson(item, deeper))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${deeper}${JSON.stringify(name)}: ${compactJson(item, deeper)}`);
  return Array.isArray(value) ? `[\n${rows.join(',\n')}\n${indent}]` : `{\n${rows.join(',\n')}\n${indent}}`;
}
