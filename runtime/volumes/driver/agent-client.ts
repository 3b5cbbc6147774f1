/**
 * The driver's client of the node agent's socket. Each mount loads this file, so it imports little: connections,
 * tokens and cryptography are in the agent.
 */
import { messageOf } from '../../base/errors.ts';
import type { VolumeContent } from '../mount/mount.ts';
import { exchange } from './agent-socket.ts';
import type { DriverAnswer } from './driver-answer.ts';
import type { MountCall } from './mount-request.ts';

/**
 * The agent's answer: one JSON document each way, which ends with the stream. Before its answer the agent sends a line
 * feed every two seconds; JSON ignores it.
 */
export type AgentAnswer =
  | { readonly status: 'Success'; readonly content: WireContent }
  | { readonly status: 'Failure'; readonly message: string };

interface WireContent extends Omit<VolumeContent, 'files'> {
  /** `content` in base64. */
  readonly files: readonly { readonly name: string; readonly mode: number; readonly content: string }[];
}

/** No complete answer: the agent is absent, hangs or stops. */
export class AgentAway extends Error {}

/** The agent refused the volume; the message is for kubelet. */
export class AgentRefusal extends Error {}

/** How to reach the agent, and how long to wait. */
export interface AskOptions {
  readonly socket: string;
  /** Longest wait in milliseconds; longer than the agent's own deadline. */
  readonly timeoutMs: number;
  /** Longest time without a byte, in milliseconds: an agent that hangs sends no line feeds. @default 10000 */
  readonly silenceMs?: number;
  readonly signal: AbortSignal;
}

/** Requests the content of a volume. Throws AgentAway, AgentRefusal, or the signal's reason. */
export async function askAgent(call: MountCall, options: AskOptions): Promise<VolumeContent> {
  const { socket, timeoutMs, silenceMs = 10_000, signal } = options;
  const stop = new AbortController();
  const late = `AZ_VOLUME_AGENT: The node agent did not answer within ${timeoutMs / 1000} s`;
  const timer = setTimeout(() => stop.abort(new AgentRefusal(late)), timeoutMs);
  const silent = () => stop.abort(new AgentAway(`it was silent for ${silenceMs / 1000} s`));
  let silence = setTimeout(silent, silenceMs);
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(silent, silenceMs);
  };
  const abort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const answerText = await exchange(socket, JSON.stringify(call), stop.signal, heard).catch((error: unknown) => {
      throw stop.signal.aborted ? error : new AgentAway(messageOf(error));
    });
    const answer = tryParse(answerText);
    if (answer === undefined) throw new AgentAway('it went away');
    if (answer.status === 'Failure') throw new AgentRefusal(answer.message);
    return unpacked(answer.content);
  } finally {
    clearTimeout(timer);
    clearTimeout(silence);
    signal.removeEventListener('abort', abort);
  }
}

/**
 * The text of a successful answer in parts, so that a large volume is never one text in memory. Files in a row with the
 * same content, the aliases of one object, share its encoded bytes.
 */
export function* successParts({ files, ...content }: VolumeContent): Generator<string | Buffer> {
  // JSON.stringify omits undefined members, so the comma depends on the text.
  const members = JSON.stringify(content).slice(1, -1);
  yield `{"status":"Success","content":{${members}${members === '' ? '' : ','}"files":[`;
  let [known, encoded]: (Buffer | undefined)[] = [];
  for (const [index, { name, mode, content }] of files.entries()) {
    if (known !== content) [known, encoded] = [content, Buffer.from(content.toString('base64'), 'latin1')];
    // JSON.stringify would look through each content and copy it.
    yield `${index === 0 ? '' : '"},'}{"name":${JSON.stringify(name)},"mode":${mode},"content":"`;
    yield encoded as Buffer;
  }
  yield files.length === 0 ? ']}}' : '"}]}}';
}

function unpacked(content: WireContent): VolumeContent {
  const files = content.files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }));
  return { ...content, files };
}

/** Parses an answer; undefined for a truncated document. */
function tryParse(text: string): AgentAnswer | undefined {
  try {
    const answer = JSON.parse(text) as AgentAnswer;
    return ['Success', 'Failure'].includes(answer.status satisfies DriverAnswer['status']) ? answer : undefined;
  } catch {
    return undefined;
  }
}
