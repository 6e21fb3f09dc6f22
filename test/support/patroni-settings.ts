import path from 'node:path';

/** One of the machines that hold the data: a Patroni and the Postgres that it starts. */
export interface MemberSettings {
  readonly name: string;
  readonly postgresPort: number;
  /** Of Patroni's own API, which tells who is primary. */
  readonly restPort: number;
  readonly folder: string;
  readonly etcdPort: number;
  /** A folder with Postgres' programs. */
  readonly postgresBin: string;
  readonly passwords: { readonly superuser: string; readonly replication: string };
}

/** As in docs/production.md. */
export const CLUSTER = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  maximum_lag_on_failover: 1_048_576,
  synchronous_mode: true,
  synchronous_node_count: 1,
  // A primary that crashed comes back as a standby: what it had committed alone is taken back before anybody reads it.
  primary_start_timeout: 0,
} as const;

/** @returns the file that Patroni reads; JSON is YAML */
export function patroniSettings(member: MemberSettings): string {
  const { name, postgresPort, restPort, folder, etcdPort, postgresBin, passwords } = member;
  return JSON.stringify({
    scope: 'tidings',
    name,
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    bootstrap: {
      dcs: {
        ...CLUSTER,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, restart_after_crash: 'off' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums', 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${postgresPort}`,
      connect_address: `127.0.0.1:${postgresPort}`,
      data_dir: path.join(folder, 'data'),
      bin_dir: postgresBin,
      pgpass: path.join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
        rewind: { username: 'postgres', password: passwords.superuser },
      },
      pg_hba: [
        'host replication replicator 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: folder },
    },
    watchdog: { mode: 'off' },
  });
}

/** @returns what etcd, the only one of its cluster, is started with */
export function etcdArguments(folder: string, port: number, peerPort: number): readonly string[] {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const settings = {
    name: 'etcd',
    'data-dir': folder,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
  };
  return Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
}

/** @returns HAProxy's file: one address that leads to the primary, and cuts connections to the former one */
export const haproxySettings = (port: number, members: readonly MemberSettings[]): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  maxconn 500
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`).join('\n')}
`;
