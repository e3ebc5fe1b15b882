/** The first version that the dependencies support, as `engines` in package.json says. */
const oldest = [20, 19]

/** Why the command cannot run with this version of Node, and the next step; undefined if it can. */
export function lackOfNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldest
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return (
    `needs Node ${oldest.join('.')} or newer; this is Node ${version} (${process.execPath})\n` +
    '  next  install a newer Node (https://nodejs.org), or select one that is installed, for example with `nvm use 22`'
  )
}
