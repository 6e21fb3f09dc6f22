-- The register of inline projections: functions that run under the append lock, before a command's events are written.
--
-- In:  name, args; at: the events' created_at; log_position: the position of the command's first event
-- Out: NULL or {}                 go ahead
--      {"refuse": CODE, …}        refused; a function refuses before it writes anything but sums that are kept of what is there
--      {"skip": true, …}          accepted, but nothing changed: no events
--      {"value": {…}}             the command's result carries this value
-- A CASE and not dynamic SQL: plans are kept, and nothing but a registered function can be called.
CREATE OR REPLACE FUNCTION run_guard(name text, args jsonb, at timestamptz, log_position bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  CASE name
    WHEN 'publish_post' THEN RETURN guard_publish_post(args, at, log_position);
    WHEN 'edit_post' THEN RETURN guard_edit_post(args, at, log_position);
    WHEN 'delete_post' THEN RETURN guard_delete_post(args, at, log_position);
    WHEN 'finish_media' THEN RETURN guard_finish_media(args, log_position);
    WHEN 'react_to_post' THEN RETURN guard_react_to_post(args, at);
    WHEN 'remove_reaction' THEN RETURN guard_remove_reaction(args);
    WHEN 'add_comment' THEN RETURN guard_add_comment(args, at, log_position);
    WHEN 'delete_comment' THEN RETURN guard_delete_comment(args, at);
    WHEN 'delete_replies' THEN RETURN guard_delete_replies(args, at);
    WHEN 'mute_user' THEN RETURN guard_mute_user(args, at);
    WHEN 'unmute_user' THEN RETURN guard_unmute_user(args);
    WHEN 'block_user' THEN RETURN guard_block_user(args, at);
    WHEN 'unblock_user' THEN RETURN guard_unblock_user(args);
    WHEN 'set_muted_keywords' THEN RETURN guard_set_muted_keywords(args);
    WHEN 'follow_user' THEN RETURN guard_follow_user(args, at);
    WHEN 'unfollow_user' THEN RETURN guard_unfollow_user(args);
    WHEN 'register_customer' THEN RETURN guard_register_customer(args);
    WHEN 'set_customer_status' THEN RETURN guard_set_customer_status(args);
    WHEN 'record_payment' THEN RETURN guard_record_payment(args);
    WHEN 'save_product' THEN RETURN guard_save_product(args);
    WHEN 'place_order' THEN RETURN guard_place_order(args);
    WHEN 'ship_order' THEN RETURN guard_ship_order(args);
    WHEN 'cancel_order' THEN RETURN guard_cancel_order(args);
    WHEN 'start_transfer' THEN RETURN guard_start_transfer(args, at);
    WHEN 'finish_transfer' THEN RETURN guard_finish_transfer(args);
    WHEN 'close_account' THEN RETURN guard_close_account(args);
    ELSE RAISE EXCEPTION 'no inline projection is registered as %', name;
  END CASE;
END;
$$;
