import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PUBLISHED = new URL('../docs/haproxy.cfg', import.meta.url)

/** The published configuration on other ports; a replica that is not there is left out. Gives the file. */
export async function writeHaproxyConfig(
  folder: string,
  { port, replicas }: { port: number; replicas: readonly number[] },
): Promise<string> {
  const published = await readFile(PUBLISHED, 'utf8')
  const text = published
    .replace('127.0.0.1:4100', `127.0.0.1:${port}`)
    .replace(/^ *server replica(\d) 127\.0\.0\.1:410\d\n/gm, (_, index: string) => {
      const replica = replicas[Number(index) - 1]
      return replica === undefined ? '' : `  server replica${index} 127.0.0.1:${replica}\n`
    })
  const file = join(folder, `haproxy-${port}.cfg`)
  await writeFile(file, text)
  return file
}
