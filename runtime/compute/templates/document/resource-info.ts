import type { Scope } from '../evaluation/scope.ts';
import { notDefined } from '../functions/resource-names.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { quoted, TemplateError } from '../problems.ts';
import { type TemplateObject, type TemplateValue, templateObject } from '../values/value.ts';
import { type Declaring, namedOf } from './instances.ts';
import { countOf, evaluateTree, knownText, loopName, withLoop } from './tree.ts';

/**
 * The value of `resourceInfo()` for the resources of a template: id, name, type and apiVersion by symbolic name, or by that of
 * one element of a loop. It reads the text of the resource, as names of other resources may need it. Throws TemplateError for a
 * name that is none, and for resources whose names need each other.
 */
export function resourceInfoOf(section: JsonNode | undefined, declaring: () => Declaring) {
  const running = new Set<string>();
  return (text: string): TemplateObject => {
    const key = text.toLowerCase();
    if (running.has(key)) {
      const message = `Names of resources depend on each other in a circle: ${[...running, key].map(quoted).join(' -> ')}`;
      throw new TemplateError('Cycle', message.slice(0, 1000));
    }
    running.add(key);
    try {
      return infoOf(text, section, declaring());
    } finally {
      running.delete(key);
    }
  };
}

function infoOf(text: string, section: JsonNode | undefined, declaring: Declaring): TemplateObject {
  const [, symbol = text, index] = /^([^[\]]{1,260})\[([0-9]{1,3})\]$/.exec(text) ?? [];
  const node = declaring.isSymbolic ? memberOf(section, symbol) : undefined;
  if (node?.kind !== 'object') throw notDefined(text, section?.kind === 'object' ? section.members.keys() : []);
  const copy = memberOf(node, 'copy');
  if ((copy === undefined) !== (index === undefined)) {
    const wanted = copy ? `one element of the loop, such as ${symbol}[0]` : `${symbol}, which is no loop`;
    throw new TemplateError('Dependency', `The name ${quoted(text)} is not that of a single resource: use ${wanted}`);
  }
  const { run, scope: around } = declaring;
  const early: Scope = { ...around, place: 'value that must be known before the deployment' };
  const count = copy && countOf(memberOf(copy, 'count'), early, run);
  if (typeof count === 'number' && Number(index) >= count) {
    const message = `The name ${quoted(text)} is that of no element: the loop ${quoted(symbol)} has a count of ${count}`;
    throw new TemplateError('Dependency', message);
  }
  const scope = copy ? withLoop(early, loopName(memberOf(copy, 'name'), early, run), Number(index), true) : early;
  const value = (name: string): TemplateValue | undefined => {
    const member = memberOf(node, name);
    return member && evaluateTree(member, scope, run, undefined);
  };
  const isExisting = value('existing') === true;
  const { id, name, type } = namedOf(node, value, { parent: undefined, isExisting }, declaring);
  const version = value('apiVersion');
  const apiVersion = version !== undefined && { apiVersion: knownText(version, 'apiVersion of a resource') };
  return templateObject(Object.entries({ id, name, type, ...apiVersion }));
}
