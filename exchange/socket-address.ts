import { bareHost } from './bare-host.ts'

/** Where a URL connects to. Without a port, the default one of its scheme. */
export function socketAddress({ hostname, port, protocol }: Pick<URL, 'hostname' | 'port' | 'protocol'>): {
  host: string
  port: number
} {
  return { host: bareHost(hostname), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}
