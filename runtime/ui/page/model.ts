import { kindKeyOf } from '../../view/model/forest.ts';
import type { Row } from '../../view/model/row.ts';
import type { KindStatus, StreamMessage } from '../messages.ts';

/** The observed state of the cluster on the page. */
export class Model {
  readonly rows = new Map<string, Row>();
  kinds: readonly KindStatus[] = [];
  problems: readonly string[] = [];
  /** Names the cluster. */
  source = '';
  /** Address of the Azure portal; '' for none. */
  portal = '';
  /** Rows that the server sends at most; 0 while there are fewer. */
  limit = 0;
  /** Of what there is no more. */
  limitOf: 'rows' | 'memory' = 'rows';
  readonly #listed = new Set<string>();

  readonly find = (id: string): Row | undefined => this.rows.get(id);
  /** Whether all objects of the kind of an id are known, so that one that is not here does not exist. */
  readonly isListed = (id: string): boolean => this.limit === 0 && this.#listed.has(kindKeyOf(id));

  /** Whether any kind is still being listed. */
  get listing(): boolean {
    return this.kinds.length === 0 || this.kinds.some(({ state }) => state === 'listing');
  }

  take(message: StreamMessage): void {
    switch (message.type) {
      case 'begin':
        this.rows.clear();
        this.kinds = [];
        this.limit = 0;
        this.source = message.source;
        this.portal = message.portal;
        break;
      case 'rows':
        for (const row of message.rows) this.rows.set(row.id, row);
        break;
      case 'gone':
        for (const id of message.ids) this.rows.delete(id);
        break;
      case 'kinds':
        this.kinds = message.kinds;
        this.problems = message.problems;
        this.#listed.clear();
        for (const { key, state } of message.kinds) if (state === 'listed') this.#listed.add(key);
        break;
      case 'limit':
        this.limit = message.rows;
        this.limitOf = message.of;
        break;
    }
  }
}
