/** Puts a text on the clipboard; says whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Pages that came over http from another machine have no clipboard: they may copy what is selected. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } finally {
    area.remove()
  }
}
