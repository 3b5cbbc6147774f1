import { Refusal } from '../exchange.ts';
import { ownMember } from '../json.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text as content or attribute of an element. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => entities[each] ?? each);

const unescaped = (text: string): string =>
  text.replaceAll(/&(\w+);/g, (entity, name: string) => ownMember(characters, name) ?? entity);

/** An element around other elements. */
export const element = (name: string, ...children: readonly string[]): string =>
  `<${name}>${children.join('')}</${name}>`;

/** An element with text; none where there is no text to show. */
export const leaf = (name: string, text: string | number | boolean | undefined): string =>
  text === undefined ? '' : element(name, escaped(String(text)));

/** The elements with these names in a document, in order; their content is text. */
export const leavesIn = (xml: string, ...names: readonly string[]): { name: string; text: string }[] =>
  [...xml.matchAll(new RegExp(`<(${names.join('|')})>([^<]*)</\\1>`, 'g'))].map(([, name = '', text = '']) => ({
    name,
    text: unescaped(text.trim()),
  }));

/** The contents of elements that have elements inside. */
export const elementsIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content);

/** The members of a reply with this document. */
export const xmlReply = (root: string) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="utf-8"?>${root}`,
});

/** A refusal as Azure Storage words it. */
export function refuse(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  const { body, ...more } = xmlReply(element('Error', leaf('Code', code), leaf('Message', message)));
  return new Refusal(code, { status, body, headers: { ...more.headers, ...headers, 'x-ms-error-code': code } });
}

/** 404 for something that is not there. */
export const notFound = (code: string, what: string): Refusal =>
  refuse(404, code, `The specified ${what} does not exist.`);

/** 400 for a header or parameter whose value cannot be used. */
export const invalidValue = (code: 'InvalidHeaderValue' | 'InvalidQueryParameterValue' | 'InvalidInput'): Refusal =>
  refuse(
    400,
    code,
    `The value for one of the ${code === 'InvalidQueryParameterValue' ? 'query parameters' : 'HTTP headers'} is not in the correct format.`,
  );
