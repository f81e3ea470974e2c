import { editor } from 'monaco-graphql/esm/monaco-editor.js'

interface Look {
  readonly base: 'vs' | 'vs-dark'
  /** Of menus and hints that lie over the editor. */
  readonly surface: string
  readonly accent: string
  readonly lineNumber: string
  readonly comment: string
  readonly number: string
  readonly argument: string
}

/** GraphiQL's own comments, numbers and line numbers are too faint for their size. */
const LOOKS = {
  light: {
    base: 'vs',
    surface: '#ffffff',
    accent: '#d60590',
    lineNumber: '#5a6478',
    comment: '#00700a',
    number: '#056b45',
    argument: '#5b57c2',
  },
  dark: {
    base: 'vs-dark',
    surface: '#212a3b',
    accent: '#ff5794',
    lineNumber: '#9aa5b8',
    comment: '#8cc078',
    number: '#b5cea8',
    argument: '#a39eff',
  },
} satisfies Record<'light' | 'dark', Look>

const CLEAR = '#ffffff00'

const define = (name: string, look: Look) => {
  editor.defineTheme(name, {
    base: look.base,
    inherit: true,
    colors: {
      'editor.background': CLEAR,
      'scrollbar.shadow': CLEAR,
      'editorLineNumber.foreground': look.lineNumber,
      'editorLineNumber.dimmedForeground': look.lineNumber,
      'editor.placeholder.foreground': look.lineNumber,
      focusBorder: look.accent,
      'textLink.foreground': look.accent,
      'editorHoverWidget.background': look.surface,
      'editorSuggestWidget.background': look.surface,
      'editorSuggestWidget.selectedForeground': look.accent,
      'editorSuggestWidget.selectedBackground': `${look.accent}19`,
      'editorWidget.background': look.surface,
      'menu.background': look.surface,
      'menu.selectionForeground': look.accent,
      'menu.selectionBackground': `${look.accent}19`,
      'quickInput.background': look.surface,
    },
    rules: [
      { token: 'comment', foreground: look.comment },
      { token: 'number', foreground: look.number },
      { token: 'argument.identifier.gql', foreground: look.argument },
    ],
  })
  return name
}

export const editorTheme = {
  light: define('refrain-light', LOOKS.light),
  dark: define('refrain-dark', LOOKS.dark),
}
