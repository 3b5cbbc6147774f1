import { element } from '../dom.ts';

/** Characters at the end that stay in sight: names of one place most often differ there. */
const tailLength = 8;

/** A text that is cut in its middle where its place is too narrow. Its content and title are the whole text. */
export function fittedText(text: string): HTMLElement {
  const characters = [...text];
  const head = characters.slice(0, -tailLength).join('');
  const tail = characters.slice(-tailLength).join('');
  if (head === '') return element('span', { class: 'fitted', title: text }, element('span', { class: 'head' }, text));
  return element(
    'span',
    { class: 'fitted', title: text },
    element('span', { class: 'head' }, head),
    element('span', { class: 'tail' }, tail),
  );
}
