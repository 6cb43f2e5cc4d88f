// What the documents point at exists: files, headings, and paths of the repository in backticks.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../scripts/root.ts'

const documents = globSync(['*.md', '{docs,scorer}/**/*.md'], { cwd: ROOT })

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** A document without its code blocks, whose brackets and hashes are not Markdown. */
const proseOf = (path: string): string => textOf(path).replace(/^```.*?^```/gms, '')

/** The lines of a document's shell blocks. */
const shellLinesOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^ *```(?:sh|bash)\n(.*?)^ *```/gms)].flatMap(([, block = '']) =>
    block.split('\n'),
  )

/** The anchors of a document's headings, formed as GitHub forms them. */
const anchorsOf = (path: string): Set<string> =>
  new Set(
    [...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\-_ ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

const leadsSomewhere = (document: string, target: string): boolean => {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? document : join(dirname(document), file)
  return existsSync(join(ROOT, path)) && (anchor === undefined || anchorsOf(path).has(anchor))
}

describe.each(documents)('%s', document => {
  it('links only to files and headings that exist', () => {
    const targets = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const inside = targets.filter(target => !/^[a-z]+:/.test(target))
    expect(inside.filter(target => !leadsSomewhere(document, target))).toEqual([])
  })

  it('names only paths that exist', () => {
    const named = [
      ...proseOf(document).matchAll(/`((?:src|scorer|scripts|test|web|docs|deploy|\.ci)\/[\w./-]*)`/g),
    ]
    const paths = named.map(([, path = '']) => path)
    expect(paths.filter(path => !existsSync(join(ROOT, path)))).toEqual([])
  })

  // Typed into zsh, the shell of macOS, `#` and what follows are arguments, and an apostrophe among them opens a text.
  it('has no comments in commands that are pasted into a shell', () => {
    expect(shellLinesOf(document).filter(line => /(^|\s)#/.test(line))).toEqual([])
  })
})
