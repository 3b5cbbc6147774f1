/** The font of each line of a node, as the style has it. */
const fonts = {
  kind: '12px system-ui, sans-serif',
  name: '600 13px system-ui, sans-serif',
  state: '600 12px system-ui, sans-serif',
} as const;

/** A line of a node. */
export type NodeLine = keyof typeof fonts;

const context = document.createElement('canvas').getContext('2d');

/** The text, cut in its middle so that it takes at most so many pixels. */
export function fittedLine(text: string, line: NodeLine, width: number): string {
  if (!context) return text;
  context.font = fonts[line];
  const fits = (each: string) => context.measureText(each).width <= width;
  if (fits(text)) return text;
  const characters = [...text];
  const cut = (kept: number) => {
    const end = Math.floor(kept / 2);
    return `${characters.slice(0, kept - end).join('')}…${characters.slice(characters.length - end).join('')}`;
  };
  let [fitting, tooMany] = [0, characters.length];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(cut(middle))) fitting = middle;
    else tooMany = middle;
  }
  return cut(fitting);
}
