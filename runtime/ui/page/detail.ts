import { type Forest, ownerOf, waitsOf } from '../../view/model/forest.ts';
import { type Row, rowTitle } from '../../view/model/row.ts';
import type { Detail, ShownCondition, ShownEvent, ShownStep } from '../messages.ts';
import { type Child, element } from './dom.ts';
import type { Model } from './model.ts';
import { portalAddress } from './portal.ts';
import { portalLink } from './portal-link.ts';
import { stateElement } from './symbols.ts';

/** Actions of the page that the detail can call. */
export interface DetailActions {
  /** The address that shows a row. */
  href(id: string): string;
  showGraph(row: Row): void;
  close(): void;
}

/** Objects of one list in the detail; the rest is a number. */
const mostListed = 50;

/** Content of a detail beside the row, and its actions. */
export interface DetailContext {
  readonly model: Model;
  readonly forest: Forest;
  readonly actions: DetailActions;
  /** Conditions and events; a text while they are read, or where they could not be. */
  readonly detail: Detail | string;
}

/** The elements of one object's detail. */
export function detailElements(row: Row, { model, forest, actions, detail }: DetailContext): HTMLElement[] {
  const link = (id: string, text: string): Child =>
    model.find(id) ? element('a', { href: actions.href(id), 'data-id': id }, text) : `${text} (not in the list)`;
  const owner = ownerOf(row, model.find);
  const waits = waitsOf(row, model.find, model.isListed);
  const references = row.links.filter(({ to }) => to !== owner?.id);
  const graph = element('button', { type: 'button' }, 'Show in the graph');
  graph.addEventListener('click', () => actions.showGraph(row));
  const close = element('button', { type: 'button', 'aria-keyshortcuts': 'Escape' }, 'Close');
  close.addEventListener('click', () => actions.close());
  const address = portalAddress(model.portal, row.armId);
  const portal = address === undefined ? [] : [portalLink(address, 'Azure portal ↗', 'Open in the Azure portal')];
  const texts = new ShownTexts(row.state);
  const rows: [string, Child][] = [
    ['State', stateElement(row.state)],
    ['Reason', texts.once(row.reason)],
    ['Message', texts.once(wholeMessage(row, detail))],
    ['Namespace', row.namespace],
    ['Group', row.group],
    ['Location', row.location],
    ['ARM id', row.armId],
    ['Created', timeElement(row.created)],
    ['Owner', owner ? link(owner.id, rowTitle(owner)) : ''],
  ];
  return [
    element('h2', { tabindex: -1 }, rowTitle(row)),
    element('div', { class: 'actions' }, graph, ...portal, close),
    element(
      'dl',
      {},
      ...rows
        .filter(([, value]) => value !== '')
        .flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    ),
    ...section(
      'Waits for',
      waits.map(({ link: { to, text }, why }) => [link(to, text), ` ${why}`]),
    ),
    ...section(
      'Owns',
      forest.childrenOf(row).map((child) => [link(child.id, rowTitle(child)), ' ', stateElement(child.state)]),
    ),
    ...section(
      'Refers to',
      references.map(({ to, text }) => [link(to, text)]),
    ),
    ...(typeof detail === 'string' ? [element('p', { class: 'note' }, detail)] : more(detail, texts, link)),
  ];
}

/** The texts of a detail, each of which it shows once. */
class ShownTexts {
  readonly #shown = new Set<string>();

  constructor(...shown: readonly string[]) {
    for (const text of shown) this.#shown.add(text);
  }

  /** The text; '' where it was shown before. */
  once(text: string): string {
    if (this.#shown.has(text)) return '';
    this.#shown.add(text);
    return text;
  }
}

/** The message of a row, which is cut, as its condition has it. */
function wholeMessage({ message }: Row, detail: Detail | string): string {
  if (typeof detail === 'string' || !message.endsWith('...')) return message;
  const start = message.slice(0, -3);
  return detail.conditions.find((condition) => condition.message.startsWith(start))?.message ?? message;
}

function more(
  { conditions, steps, events, eventsProblem }: Detail,
  texts: ShownTexts,
  link: (id: string, text: string) => Child,
): HTMLElement[] {
  const stepParts = ({ id, name, state, reason, message }: ShownStep): Child[] => [
    element('strong', {}, state),
    ' ',
    id === '' ? name : link(id, name),
    ` ${[reason, texts.once(message)].filter((text) => text !== '').join(', ')}`,
  ];
  const none = eventsProblem === '' ? 'No events are stored about this object.' : eventsProblem;
  return [
    ...section('Steps', steps.map(stepParts)),
    ...section(
      'Conditions',
      conditions.map((condition) => conditionParts(condition, texts)),
    ),
    element('h3', {}, 'History'),
    events.length > 0
      ? element('ol', {}, ...events.map((event) => element('li', {}, ...eventParts(event, texts))))
      : element('p', {}, none),
  ];
}

function conditionParts(condition: ShownCondition, texts: ShownTexts): Child[] {
  const { type, status, severity, since } = condition;
  const words = [severity, texts.once(condition.reason)].filter((text) => text !== '').join(', ');
  const message = texts.once(condition.message);
  const sinceParts = since === '' ? [] : [element('span', { class: 'quiet' }, ' since ', timeElement(since))];
  const text = message === '' ? '' : element('div', {}, message);
  return [element('strong', {}, `${type}: ${status}`), ` ${words}`, ...sinceParts, text];
}

/** A time in UTC without its fraction. */
function timeElement(time: string): Child {
  if (time === '') return '';
  const text = time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2 UTC');
  return element('time', { datetime: time, title: time }, text);
}

function eventParts({ time, type, reason, message: whole, count }: ShownEvent, texts: ShownTexts): Child[] {
  const times = count > 1 ? ` (${count} times)` : '';
  const message = texts.once(whole) || (whole === '' ? '' : '(as above)');
  return [timeElement(time), ' ', element('strong', {}, `${type} ${reason}`), ` ${message}${times}`];
}

function section(title: string, items: readonly (readonly Child[])[]): HTMLElement[] {
  if (items.length === 0) return [];
  const rest = items.length - mostListed;
  return [
    element('h3', {}, title),
    element(
      'ul',
      {},
      ...items.slice(0, mostListed).map((parts) => element('li', {}, ...parts)),
      ...(rest > 0 ? [element('li', {}, `and ${rest} more`)] : []),
    ),
  ];
}
