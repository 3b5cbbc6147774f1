import { member, text } from '../answer-members.ts';

/** The end of an operation, or of the change that a resource's provisioningState shows. */
export type TerminalState = 'succeeded' | 'failed' | 'canceled';

/** ARM's terminal states in lower case, with both spellings of canceled. */
export const terminalStates: readonly string[] = ['succeeded', 'failed', 'canceled', 'cancelled'];

/** The end that a word of ARM means; undefined for every other word: free text included, that is progress. */
export function terminalStateOf(word: string): TerminalState | undefined {
  const state = word.trim().toLowerCase();
  if (!terminalStates.includes(state)) return undefined;
  return state === 'cancelled' ? 'canceled' : (state as TerminalState);
}

/** `properties.provisioningState` of a resource. */
export function provisioningState(body: unknown): string | undefined {
  return text(member(member(body, 'properties'), 'provisioningState'));
}

/** The same, or the member `provisioningState` of the resource itself, where older kinds have it. */
export function shownState(body: unknown): string | undefined {
  return provisioningState(body) ?? text(member(body, 'provisioningState'));
}

const inProgress =
  /^(creating|updating|deleting|accepted|provisioning|pending|registeringdns|resolvingdns|running|inprogress|activating|upgrading|scaling|joining|restoring|waiting)$/;

/** Whether a resource shows a known word for a change under way. Kinds use many other words for states without one. */
export function isInProgress(body: unknown): boolean {
  return inProgress.test(shownState(body)?.toLowerCase() ?? '');
}

/** Whether somebody deletes the resource: its content says nothing about the state afterwards. */
export function isBeingDeleted(body: unknown): boolean {
  return /^(deleting|deprovisioning)$/i.test(shownState(body) ?? '');
}

/** Whether the last change of the resource failed or was canceled. */
export function hasFailed(body: unknown): boolean {
  const end = terminalStateOf(shownState(body) ?? '');
  return end !== undefined && end !== 'succeeded';
}
