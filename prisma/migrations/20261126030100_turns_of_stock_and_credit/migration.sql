-- AlterTable
ALTER TABLE "customer_credit" ADD COLUMN     "turn" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "product_stock" ADD COLUMN     "turn" BIGINT NOT NULL DEFAULT 0;

-- By hand, from here on: a migration after this one takes the key away that these two name. The append lock, under which alone
-- they are called, keeps a product and a customer one row.
CREATE OR REPLACE FUNCTION guard_save_product(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  stock product_stock%ROWTYPE;
BEGIN
  SELECT * INTO stock FROM product_stock WHERE product_id = args ->> 'productId' ORDER BY turn DESC LIMIT 1;
  IF stock.reserved > (args ->> 'onHand')::int THEN
    RETURN jsonb_build_object('refuse', 'STOCK_RESERVED', 'reserved', stock.reserved);
  END IF;
  UPDATE product_stock
    SET name = args ->> 'name', unit_price = (args ->> 'unitPrice')::bigint, on_hand = (args ->> 'onHand')::int, turn = turn + 1
    WHERE product_id = stock.product_id AND turn = stock.turn;
  IF NOT FOUND THEN
    INSERT INTO product_stock (product_id, name, unit_price, on_hand)
    VALUES (args ->> 'productId', args ->> 'name', (args ->> 'unitPrice')::bigint, (args ->> 'onHand')::int);
  END IF;
  RETURN NULL;
END;
$$;
CREATE OR REPLACE FUNCTION guard_set_customer_status(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE customer_credit
    SET is_active = (args -> 'isActive')::boolean, credit_limit = (args ->> 'creditLimit')::bigint, turn = turn + 1
    WHERE ctid = (SELECT ctid FROM customer_credit WHERE customer_id = args ->> 'customerId' ORDER BY turn DESC LIMIT 1);
  IF NOT FOUND THEN
    INSERT INTO customer_credit (customer_id, user_id, is_active, credit_limit)
    VALUES (args ->> 'customerId', args ->> 'userId', (args -> 'isActive')::boolean, (args ->> 'creditLimit')::bigint);
  END IF;
  RETURN NULL;
END;
$$;
