import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { type DatabaseServer, running, serverCertificate, unprivileged } from './postgres-server.ts';

/** Starts MariaDB, the program in AZIMUTH_MARIADB, with the administrator `boss`, who may grant what Azure's may. */
export async function startMariaDb(host: string): Promise<DatabaseServer> {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-mariadb-'));
  const password = `boss's "p\\w`;
  const { keyPem, certPem, ca } = await serverCertificate(host);
  const literal = `'${password.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  const start = [
    // Anonymous users of localhost would come before those of any host.
    "DELETE FROM mysql.global_priv WHERE User = '';",
    'FLUSH PRIVILEGES;',
    `CREATE USER 'boss'@'%' IDENTIFIED BY ${literal};`,
    "GRANT ALL ON *.* TO 'boss'@'%' WITH GRANT OPTION;",
    '',
  ].join('\n');
  const data = join(directory, 'data');
  mkdirSync(data);
  for (const [name, text] of Object.entries({ 'tls.key': keyPem, 'tls.crt': certPem, 'start.sql': start })) {
    writeFileSync(join(directory, name), text);
    chmodSync(join(directory, name), 0o600);
  }
  if (unprivileged) {
    for (const name of ['', 'data', 'tls.key', 'tls.crt', 'start.sql']) {
      chownSync(join(directory, name), unprivileged.uid, unprivileged.gid);
    }
  }
  const options = { cwd: directory, ...unprivileged };
  const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'];
  const made = spawnSync('mariadb-install-db', install, { ...options, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stdout}${made.stderr}`);
  const port = await freePort();
  const flags = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${join(directory, 'socket')}`,
    `--pid-file=${join(directory, 'pid')}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--require-secure-transport=on',
    `--ssl-cert=${join(directory, 'tls.crt')}`,
    `--ssl-key=${join(directory, 'tls.key')}`,
    `--init-file=${join(directory, 'start.sql')}`,
    '--innodb-buffer-pool-size=16M',
  ];
  const program = process.env['AZIMUTH_MARIADB'] ?? '';
  const server = spawn(program, flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  return await running(server, { port, password, ca, directory, stopSignal: 'SIGTERM' });
}
