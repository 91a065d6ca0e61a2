// The program, started and stopped as a script would.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const [command, ...args] = process.argv.slice(2)
const program = spawn(command, [...args, 'serve', '--port', '0', '--log', 'json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
for await (const line of createInterface(program.stdout)) {
  const { url } = JSON.parse(line)
  if (url === undefined) continue
  const response = await fetch(`${url}/inventory`, { headers: { authorization: 'Bearer demo-key' } })
  assert.equal((await response.json()).length, 10)
  break
}
program.kill()
await once(program, 'exit')
console.log('It works.')
