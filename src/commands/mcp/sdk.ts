// The parts of the Model Context Protocol's SDK that the server uses. `npm run build` takes them into the program: the SDK
// with all that it needs would be a fifth of an installation (decision 914).
export { Server } from '@modelcontextprotocol/sdk/server/index.js';
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
export {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  RootsListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
