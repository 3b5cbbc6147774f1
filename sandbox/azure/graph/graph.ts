import type { Clock } from '../../../runtime/base/clock.ts';
import type { Throttle } from '../arm/throttle.ts';
import { bearer } from '../bearer.ts';
import type { Directory } from '../entra/directory.ts';
import type { TokenIssuer } from '../entra/tokens.ts';
import { type Exchange, Refusal, type Reply } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import { type Json, stringOf } from '../json.ts';
import type { SandboxState } from '../state.ts';
import { answerDirectoryObjects } from './directory-objects.ts';
import { badToken, denied, malformed, withRequestIds } from './graph-errors.ts';
import { answerGroups } from './groups.ts';

/** Settings of Microsoft Graph that tests change. */
export interface GraphSettings {
  /** Milliseconds in which reads do not show a new group. @default 0 */
  replicationMs: number;
}

/** The dependencies that Microsoft Graph uses. */
export interface GraphDeps {
  readonly state: SandboxState;
  readonly directory: Directory;
  readonly tokens: TokenIssuer;
  readonly throttle: Throttle;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: GraphSettings;
  /** Audiences that tokens may have, without trailing slash. */
  readonly audiences: () => readonly string[];
}

/** Permissions of applications that let a caller read groups, in the order of Graph's documentation. */
const readers = ['Group.Read.All', 'Group.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'];
const writers = ['Group.ReadWrite.All', 'Directory.ReadWrite.All'];
const principalReaders = ['Application.Read.All', 'Application.ReadWrite.All', ...readers.slice(2)];
const roleManager = 'RoleManagement.ReadWrite.Directory';

/** Microsoft Graph v1.0: groups, and principals to read. Verifies the caller, throttles, checks permissions, and answers. */
export class MicrosoftGraph {
  /** May be changed at any time. */
  readonly settings: GraphSettings;
  readonly #deps: GraphDeps;

  constructor(deps: GraphDeps) {
    this.#deps = deps;
    this.settings = deps.settings;
  }

  readonly handle = async (exchange: Exchange): Promise<Reply> => {
    const { ids, clock } = this.#deps;
    const requestId = ids.uuid();
    exchange.entry.requestId = requestId;
    try {
      return withRequestIds(await this.#answer(exchange), exchange, requestId, clock.now());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(error.code, withRequestIds(error.reply, exchange, requestId, clock.now()));
    }
  };

  async #answer(exchange: Exchange): Promise<Reply> {
    const { state, directory, ids, clock, settings, throttle } = this.#deps;
    const [version = '', ...path] = exchange.segments;
    if (version !== 'v1.0') throw malformed(`Invalid version: ${version}`);
    const claims = await this.#claims(exchange);
    const tenantId = String(claims['tid']);
    throttle.takeGraph(tenantId, String(claims['appid']));
    const permissions = state.apps[stringOf(claims['appid']).toLowerCase()]?.graphPermissions;
    const has = (...any: readonly string[]) => !permissions || any.some((each) => permissions.includes(each));
    if (!/^groups\b/i.test(path[0] ?? '')) {
      if (!has(...principalReaders)) throw denied();
      const reply = answerDirectoryObjects({ exchange, state, directory, tenantId }, path);
      if (reply) return reply;
      throw notServed(path);
    }
    if (!has(...(exchange.method === 'GET' ? readers : writers))) throw denied();
    const request = {
      exchange,
      state,
      ids,
      now: clock.now(),
      tenantId,
      replicationMs: settings.replicationMs,
      managesRoles: has(roleManager),
    };
    const reply = answerGroups(request, path);
    if (reply) return reply;
    throw notServed(path);
  }

  /** The claims of a valid token for Graph; also written into the journal. */
  async #claims(exchange: Exchange): Promise<Json> {
    const token = bearer(exchange);
    if (token === undefined) throw badToken('Access token is empty.');
    const claims = await this.#deps.tokens.tryVerify(token);
    if (!claims) throw badToken('Access token validation failure. Invalid signature.');
    const { entry } = exchange;
    entry.tokenId = String(claims['uti']);
    entry.clientId = String(claims['appid']);
    entry.principalId = String(claims['oid']);
    entry.audience = String(claims['aud']);
    if (Number(claims['exp']) <= this.#deps.clock.now() / 1000) {
      throw badToken('Lifetime validation failed, the token is expired.');
    }
    if (!this.#deps.audiences().includes(entry.audience.replace(/\/+$/, ''))) {
      throw badToken('Access token validation failure. Invalid audience.');
    }
    return claims;
  }
}

const notServed = (path: readonly string[]) => malformed(`Resource not found for the segment '${path.at(-1) ?? ''}'.`);
