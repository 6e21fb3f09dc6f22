import { graphql } from '../support/generated/gql.js';

/** What the load asks for. */
export const documents = {
  publish: graphql(`mutation LoadPublish($input: PublishPostInput!) {
    publishPost(input: $input) { post { postId } userErrors { code } } }`),
  edit: graphql(`mutation LoadEdit($input: EditPostInput!) {
    editPost(input: $input) { post { postId } userErrors { code } } }`),
  remove: graphql(`mutation LoadDelete($input: DeletePostInput!) {
    deletePost(input: $input) { deletedPostId userErrors { code } } }`),
  block: graphql(`mutation LoadBlock($input: BlockUserInput!) {
    blockUser(input: $input) { userErrors { code } } }`),
  unblock: graphql(`mutation LoadUnblock($input: UnblockUserInput!) {
    unblockUser(input: $input) { userErrors { code } } }`),
  follow: graphql(`mutation LoadFollow($input: FollowUserInput!) {
    followUser(input: $input) { userErrors { code } } }`),
  like: graphql(`mutation LoadLike($input: LikePostInput!) {
    likePost(input: $input) { userErrors { code } } }`),
  unlike: graphql(`mutation LoadUnlike($input: UnlikePostInput!) {
    unlikePost(input: $input) { userErrors { code } } }`),
  deposit: graphql(`mutation LoadDeposit($input: DepositInput!) {
    deposit(input: $input) { version userErrors { code } } }`),
  transfer: graphql(`mutation LoadTransfer($input: TransferMoneyInput!) {
    transferMoney(input: $input) { aggregateId userErrors { code } } }`),
  place: graphql(`mutation LoadPlace($input: PlaceOrderInput!) {
    placeOrder(input: $input) { version userErrors { code } } }`),
  ship: graphql(`mutation LoadShip($input: ShipOrderInput!) {
    shipOrder(input: $input) { version userErrors { code } } }`),
  cancel: graphql(`mutation LoadCancel($input: CancelOrderInput!) {
    cancelOrder(input: $input) { version userErrors { code } } }`),
  send: graphql(`mutation LoadSend($input: SendNotificationInput!) {
    sendNotification(input: $input) { requestId userErrors { code } } }`),
  post: graphql(
    `query LoadPost($postId: ID!) { post(postId: $postId) { content likeCount author { userId } } }`,
  ),
  feed: graphql(`query LoadFeed($after: String, $order: FeedOrder!) {
    feed(first: 50, after: $after, order: $order) {
      edges { node { postId content author { userId } } } pageInfo { hasNextPage endCursor } } }`),
  account: graphql(
    `query LoadAccount($accountId: ID!) { account(accountId: $accountId) { balance version } }`,
  ),
  product: graphql(
    `query LoadProduct($productId: ID!) { product(productId: $productId) { inStock reserved } }`,
  ),
};

/** What subscribers hear. */
export const subscriptions = {
  feed: graphql(
    `subscription HearFeed($after: String) { feedUpdated(after: $after) { cursor postId authorId } }`,
  ),
  inbox: graphql(`subscription HearInbox($after: String) {
    inboxUpdated(after: $after) { cursor item { itemId } } }`),
  status: graphql(`subscription HearStatus($notificationId: ID!, $after: String) {
    notificationStatus(notificationId: $notificationId, after: $after) { cursor deliveryId event at } }`),
  order: graphql(`subscription HearOrder($orderId: ID!, $after: String) {
    orderUpdated(orderId: $orderId, after: $after) { cursor order { version status } } }`),
  account: graphql(`subscription HearAccount($accountId: ID!, $after: String) {
    accountUpdated(accountId: $accountId, after: $after) { cursor account { version } } }`),
  alerts: graphql(`subscription HearAlerts($after: String) {
    alertRaised(after: $after) { cursor alert { id resolvedAt } } }`),
};
