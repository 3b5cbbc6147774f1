import { posix } from 'node:path';
import { nameIn } from '../../functions/function-spec.ts';
import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { parseJson } from '../../json/parse-json.ts';
import { AlreadyReported, quoted, TemplateError } from '../../problems.ts';
import { isTemplateObject, type TemplateValue } from '../../values/value.ts';
import { revealSecrets } from '../../values/value-info.ts';
import type { Shared } from '../instance.ts';
import { knownText } from '../tree.ts';

/** Where a deployment with a template stands. */
interface Place {
  readonly shared: Shared;
  /** The URI or path of the template around it; '' for the whole one. */
  readonly around: string;
  /** The value of a node, which must be known before the deployment. */
  readonly value: (node: JsonNode) => TemplateValue;
}

/**
 * The template of a deployment: the inline one, or the one that a link names, with its URI, path or id. Throws TemplateError
 * for a link whose template is not there, AlreadyReported for one that is no JSON.
 */
export function templateOf(
  properties: JsonNode | undefined,
  place: Place,
): { readonly template: JsonNode; readonly link: string | undefined } {
  const inline = memberOf(properties, 'template');
  const linkNode = memberOf(properties, 'templateLink');
  if (inline && linkNode) {
    throw new TemplateError('Structure', 'A deployment has properties.template or templateLink, not both: remove one');
  }
  if (inline?.kind === 'object') return { template: inline, link: undefined };
  if (!linkNode)
    throw new TemplateError('Structure', 'A deployment needs properties.template, an object, or templateLink');
  const link = linkOf(linkNode, place);
  const template = linked('template', link, 'properties.template', place);
  checkVersion(linkNode, template, place);
  return { template, link };
}

/**
 * The values of a deployment's parameters: the inline ones, or those of the file that `parametersLink` names, which are no
 * expressions. Throws as `templateOf`.
 */
export function parametersOf(
  properties: JsonNode | undefined,
  place: Place,
): { readonly section: JsonNode | undefined; readonly isLinked: boolean } {
  const section = memberOf(properties, 'parameters');
  const linkNode = memberOf(properties, 'parametersLink');
  if (!linkNode) return { section, isLinked: false };
  if (section)
    throw new TemplateError('Structure', 'A deployment has parameters or parametersLink, not both: remove one');
  const file = linked('parameters file', linkOf(linkNode, place), 'properties.parameters', place);
  checkVersion(linkNode, file, place);
  return { section: memberOf(file, 'parameters'), isLinked: true };
}

function linked(what: string, link: string, inline: string, { shared }: Place): JsonNode {
  const text = shared.linkedTemplate(link);
  if (text === undefined) {
    const message = `The linked ${what} ${quoted(link)} is not there: give its folder (--template-root), or put it into ${inline}`;
    throw new TemplateError('Unsupported', message);
  }
  const node = parseJson(text, shared.problems, link);
  if (!node) throw new AlreadyReported();
  return node;
}

/** Throws TemplateError where the link names another contentVersion than its file has. */
function checkVersion(linkNode: JsonNode, file: JsonNode, place: Place): void {
  const [asked, own] = [memberOfLink(linkNode, 'contentVersion', place), memberOf(file, 'contentVersion')];
  const version = asked === undefined ? undefined : knownText(asked, 'contentVersion of a link');
  if (version === undefined || own?.kind !== 'string' || version === own.value) return;
  const message = `The link asks for contentVersion ${quoted(version)}, and its file has ${quoted(own.value)}: correct one`;
  throw new TemplateError('Structure', message);
}

/** A member of a link, which can be an expression as a whole. */
function memberOfLink(node: JsonNode, name: string, { value }: Place): TemplateValue | undefined {
  const member = memberOf(node, name);
  if (node.kind !== 'string') return member && value(member);
  const link = value(node);
  const key = isTemplateObject(link) ? nameIn(link, name) : undefined;
  return isTemplateObject(link) && key !== undefined ? link[key] : undefined;
}

/** The name of a linked template: its id, its URI, or its path relative to the whole template. */
function linkOf(node: JsonNode, place: Place): string {
  const { around } = place;
  const of = (name: string) => {
    const member = memberOfLink(node, name, place);
    return member === undefined ? undefined : knownText(revealSecrets(member), `${name} of a link`);
  };
  const [id, uri, path] = [of('id'), of('uri'), of('relativePath')];
  if (id !== undefined) return id;
  // The query is an access token, often out of a secure parameter.
  if (uri !== undefined) return withoutFile(uri.split('?')[0] as string);
  if (path === undefined) throw new TemplateError('Structure', 'A link needs id, uri or relativePath');
  if (/^https?:/i.test(around)) return URL.parse(path, around)?.href ?? path;
  return posix.normalize(posix.join(posix.dirname(around === '' ? '.' : around), path));
}

/** The path of a file beside a template that comes from a file. */
const withoutFile = (uri: string): string => uri.replace(/^file:\/\/\/(?=.)/i, '');
