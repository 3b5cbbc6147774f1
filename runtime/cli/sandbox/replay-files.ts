import { differencesOf } from '../../../sandbox/sessions/differences.ts';
import { Player } from '../../../sandbox/sessions/player.ts';
import { replaySession } from '../../../sandbox/sessions/replay.ts';
import { readSession, requestsToSend } from '../../../sandbox/sessions/session.ts';

/**
 * Replays the recorded sessions of files on an embedded Azure, each on an empty one, and prints what its answers lack or
 * have otherwise, the most frequent first. Resolves to the exit code: 0, whatever differs. Throws AZ_CONFIG_INVALID for
 * a file that is no session.
 */
export async function replayFiles(files: readonly string[], print: (text: string) => void): Promise<number> {
  const sessions = files.map(readSession);
  const player = await Player.start();
  try {
    for (const session of sessions) {
      const outcomes = await replaySession(session, player);
      const sent = requestsToSend(session).length;
      const same = outcomes.filter(({ request, answer }) => request.status === answer.status).length;
      const left = sent - outcomes.length;
      print(`${session.name}: ${sent} requests, ${outcomes.length} compared, ${same} with Azure's status\n`);
      if (left > 0) print(`  ${left} not compared: about what the session did not create, or Azure was busy\n`);
      for (const line of differencesOf(outcomes)) print(`${line}\n`);
    }
  } finally {
    await player.close();
  }
  return 0;
}
