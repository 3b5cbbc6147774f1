import { type Exchange, jsonBody, type Reply } from '../../exchange.ts';
import { merge, objectOf } from '../../json.ts';
import type { ResourceEngine } from './resource-engine.ts';
import type { ResourcePath } from './resource-path.ts';

/** Settings of a resource that are no children: a path without a name, which GET shows and PUT changes. */
export function resourceDocuments(exchange: Exchange, path: ResourcePath, engine: ResourceEngine): Reply | undefined {
  const name = path.tail?.toLowerCase() ?? '';
  const first = engine.resources.behaviourOf(path.type).documents?.[name];
  const resource = engine.resources.find(path.id);
  if (!first || !resource || (exchange.method !== 'GET' && exchange.method !== 'PUT')) return undefined;
  const kept = objectOf(resource.system['documents']);
  const shown = merge(first, objectOf(kept[name]));
  if (exchange.method === 'GET') return { status: 200, body: shown };
  const body = merge(shown, jsonBody(exchange));
  resource.system['documents'] = { ...kept, [name]: body };
  exchange.entry.effective = true;
  return { status: 200, body };
}
