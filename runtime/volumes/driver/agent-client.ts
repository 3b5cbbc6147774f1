/**
 * The driver's side of the node agent's socket. Everything here is on the way of each mount, so it loads little: the
 * agent has the connections, the tokens and the cryptography.
 */
import { messageOf } from '../../base/errors.ts';
import type { VolumeContent } from '../mount/mount.ts';
import { exchange } from './agent-socket.ts';
import type { DriverAnswer } from './driver-answer.ts';
import type { MountCall } from './mount-request.ts';

/** The agent's answer on the wire: one JSON document each way, the end of the stream ends it. */
export type AgentAnswer =
  | { readonly status: 'Success'; readonly content: WireContent }
  | { readonly status: 'Failure'; readonly message: string };

interface WireContent extends Omit<VolumeContent, 'files'> {
  /** `content` in base64. */
  readonly files: readonly { readonly name: string; readonly mode: number; readonly content: string }[];
}

/** Nobody answers, or not to the end: the agent is not there, or it ends just now. */
export class AgentAway extends Error {}

/** The agent's reason why there is no volume, worded for kubelet. */
export class AgentRefusal extends Error {}

export interface AskOptions {
  readonly socket: string;
  /** Longest wait in milliseconds: the agent has a deadline of its own, which ends before. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Throws AgentAway, AgentRefusal, or the signal's reason. */
export async function askAgent(call: MountCall, { socket, timeoutMs, signal }: AskOptions): Promise<VolumeContent> {
  const stop = new AbortController();
  const late = `AZ_VOLUME_AGENT: The node agent did not answer within ${timeoutMs / 1000} s`;
  const timer = setTimeout(() => stop.abort(new AgentRefusal(late)), timeoutMs);
  const abort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const said = await exchange(socket, JSON.stringify(call), stop.signal).catch((error: unknown) => {
      throw stop.signal.aborted ? error : new AgentAway(messageOf(error));
    });
    const answer = tryParse(said);
    if (answer === undefined) throw new AgentAway('it went away');
    if (answer.status === 'Failure') throw new AgentRefusal(answer.message);
    return unpacked(answer.content);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

export function packed(content: VolumeContent): WireContent {
  const files = content.files.map((file) => ({ ...file, content: file.content.toString('base64') }));
  return { ...content, files };
}

function unpacked(content: WireContent): VolumeContent {
  const files = content.files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }));
  return { ...content, files };
}

/** A document that was cut is none. */
function tryParse(text: string): AgentAnswer | undefined {
  try {
    const answer = JSON.parse(text) as AgentAnswer;
    return ['Success', 'Failure'].includes(answer.status satisfies DriverAnswer['status']) ? answer : undefined;
  } catch {
    return undefined;
  }
}
