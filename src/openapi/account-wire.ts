// The schemas of what an account reads about itself that the document names.
export { AccountDay, AccountUsage, ActivityEntry, ActivityList } from '../activity/wire.ts'
export { Account, ApiKey, Credit } from '../money/wire.ts'
