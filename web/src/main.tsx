import '@fontsource-variable/geist/wght.css'
import '@fontsource-variable/geist-mono/wght.css'
import './style/tokens.css'
import './style/base.css'
import './style/controls.css'
import './style/shell.css'
import './style/playground.css'
import './style/questions.css'
import './style/answers.css'
import './style/answer-rows.css'
import './style/narrow.css'
import './style/pages.css'
import './style/print.css'
import { render } from 'preact'
import { App } from './shell/app.tsx'
import { guardAgainstLoss } from './shell/leaving.ts'
import { followHistory } from './shell/route.ts'
import { fetchDevelopmentKey } from './shell/session.ts'
import { followSystemTheme } from './shell/theme.ts'

followSystemTheme()
followHistory()
guardAgainstLoss()
void fetchDevelopmentKey()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
