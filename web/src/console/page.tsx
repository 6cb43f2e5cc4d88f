export const Console = () => <h1 tabIndex={-1}>Console</h1>
