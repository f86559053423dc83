//! Messages and contexts.

use npcodec::flower::{
    ConfigRecord, Context, Inflatable, Message, MessageError, Metadata, Object, RecordDict,
    UserConfig,
};
use npcodec::{Error, ErrorKind, FlowerError};

use crate::vectors::hex;

#[test]
fn messages_and_contexts_have_the_bytes_of_flower() {
    // By hand, after `message.proto`.
    let mut metadata = Metadata::default();
    metadata.run_id = 1;
    metadata.ttl = -0.0;
    metadata.message_type = "train".to_owned();
    metadata.dst_task_id = Some(0);
    let message = Message::new(metadata, Err(MessageError::new(-1, "x")));
    let bytes = hex("0a1408013900000000000000804205747261696e58001a050801120178");
    assert_eq!(message.to_protobuf().unwrap(), bytes);
    assert_eq!(Message::from_protobuf(&bytes[..]).unwrap(), message);
    let empty = Message::new(Metadata::default(), Ok(RecordDict::new()));
    assert_eq!(empty.to_protobuf().unwrap(), hex("0a001200"));
    assert_eq!(Message::from_protobuf(&hex("0a001200")[..]).unwrap(), empty);

    let mut context = Context::default();
    context.node_id = 3;
    context.run_config =
        UserConfig::from([("".to_owned(), (-1).into()), ("a".to_owned(), "".into())]);
    context.series_id = 1;
    // Python's protobuf puts an empty key last.
    let bytes = hex("100322002a070a0161120272002a060a00120240013001");
    assert_eq!(context.to_protobuf().unwrap(), bytes);
    assert_eq!(Context::from_protobuf(&bytes[..]).unwrap(), context);
}

fn bytes(object: &Message<'_>) -> Vec<u8> {
    object.deflate().to_bytes().into_owned()
}

#[test]
fn messages_deflate_to_the_objects_of_flower() {
    // Made by flwr 1.42.0; the id of the message is no part of them.
    let mut metadata = Metadata::default();
    metadata.run_id = u64::MAX;
    metadata.message_id = "m".to_owned();
    (metadata.src_node_id, metadata.dst_node_id) = (1, 2);
    metadata.reply_to_message_id = "r".to_owned();
    metadata.group_id = "3".to_owned();
    (metadata.ttl, metadata.created_at) = (3600.0, 1.7e9);
    metadata.message_type = "query.abc".to_owned();
    let mut message = Message::new(metadata, Err(MessageError::new(0, "")));
    let object = hex(
        "4d65737361676520203534000a3208ffffffffffffffffff01180120022a017232013339000000000020ac40420971756572792e6162634900000040fc54d9411a00",
    );
    assert_eq!(bytes(&message), object);
    let id = "161bdc2945167d4f3c7cdcd6d9e2a93a109964487cf0936f14b356d7816d6bd8";
    assert_eq!(message.object_id().to_string(), id);
    let mut found = Message::inflate(object, []).unwrap();
    assert_eq!(found.metadata.message_id, "");
    found.metadata.message_id = "m".to_owned();
    assert_eq!(found, message);
    assert!(!found.is_dirty());
    found.metadata.group_id = "4".to_owned();
    assert!(found.is_dirty());

    (message.metadata.ttl, message.metadata.created_at) = (-0.0, 0.0);
    message.metadata.reply_to_message_id.clear();
    message.metadata.message_type = "train".to_owned();
    message.content = Ok(RecordDict::new());
    assert_eq!(
        bytes(&message),
        hex(
            "4d6573736167652061356663396362303933313964633337336637613866313161373939666430643930633335393132306664363234316332333064653334613466393362653365203336000a2208ffffffffffffffffff01180120023201333900000000000000804205747261696e"
        )
    );
    let id = "6106e5597f41284f564330f1aa15f360a16df3caff26c0702f37b9865d89e2c5";
    assert_eq!(message.object_id().to_string(), id);
    message.metadata.message_id.clear();
    let children = || message.children().into_values();
    assert_eq!(
        Message::inflate(bytes(&message), children()).unwrap(),
        message
    );
    assert_eq!(message.object_tree().children().len(), 1);
}

#[test]
fn a_message_has_content_or_an_error_and_not_both() {
    let refusal = |head: &str, body: &str, children: Vec<Object<'static>>| -> Error {
        let body = hex(body);
        let content = [format!("{head} {}\0", body.len()).into_bytes(), body].concat();
        Message::inflate(content, children).unwrap_err()
    };
    let child = RecordDict::new();
    let id = child.object_id();
    let (error, nothing) = ("0a001a00", "0a00");
    let words = refusal("Message ", nothing, vec![]).to_string();
    assert_eq!(
        words,
        "flower: expected a message with content or with an error, found neither"
    );
    let kind = |error: Error| match error.kind() {
        ErrorKind::Flower(FlowerError::Children { .. }) => "children",
        ErrorKind::Flower(FlowerError::Class { .. }) => "class",
        _ => panic!("{error}"),
    };
    let one = format!("Message {id}");
    let words = refusal(&one, error, vec![child.clone().into()]).to_string();
    assert_eq!(
        words,
        "flower: expected a message with content or with an error, found both"
    );
    assert_eq!(kind(refusal(&one, nothing, vec![])), "children");
    let other = ConfigRecord::new();
    let two = format!("{one},{}", other.object_id());
    let given = vec![child.into(), other.clone().into()];
    assert_eq!(kind(refusal(&two, nothing, given)), "children");
    let wrong = format!("Message {}", other.object_id());
    assert_eq!(kind(refusal(&wrong, nothing, vec![other.into()])), "class");
}
