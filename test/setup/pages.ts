// wrangler.toml names the folder of the built pages, so tests that read it need the folder to be there.
export { buildPagesWhenStale as setup } from '../../scripts/service/pages.ts'
