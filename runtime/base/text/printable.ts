/**
 * Characters that YAML 1.1, JavaScript or a terminal reads as the end of a line, as a command, or not at all: control
 * characters, separators other than the blank, format characters (byte order mark, direction of writing), and
 * characters that Unicode has not assigned.
 */
const unprintable = /[^\P{C}\n]|[^\P{Z} ]/u;
const eachUnprintable = /[\p{C}\p{Z}]/gu;

/** Letters, digits, signs, blanks and line feeds: characters that every reader keeps. */
export function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

/**
 * The text with `\uXXXX` for every unprintable character but the line feed. Within the double quotes of YAML, JSON and
 * JavaScript it means the same; in a comment or on a terminal it can do nothing.
 */
export function escaped(text: string): string {
  return text.replaceAll(eachUnprintable, (character) =>
    character === ' ' || character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}

/** On one line, for comments and messages. */
export function onOneLine(text: string): string {
  return escaped(text).replaceAll('\n', '\\n');
}
