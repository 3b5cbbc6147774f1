/** A message with the values of its `{places}`. */
export const filled = (message: string, values: Readonly<Record<string, string>>): string =>
  message.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
